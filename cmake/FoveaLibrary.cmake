# One room of the house: fovea_library(NAME room SRCS ... TESTS ... DEPS fovea::other ... LIBS ...
#                                      FOLDER_DEPS a/b ...)
#
# Makes the target fovea::<room>, installs its headers, builds <room>_test from TESTS, and notes DEPS
# so that the test `rooms` can check that no file includes a room it does not depend on.
# A room without SRCS is headers only. LIBS are libraries from outside (PUBLIC). FOLDER_DEPS a/b: the
# files of the room's folder `a` may include those of its folder `b`; `rooms` checks that too.
set_property(GLOBAL PROPERTY FOVEA_ROOMS "")

function(fovea_library)
  cmake_parse_arguments(ROOM "" "NAME" "SRCS;TESTS;DEPS;LIBS;FOLDER_DEPS" ${ARGN})
  set(target fovea_${ROOM_NAME})
  if(ROOM_SRCS)
    add_library(${target} STATIC ${ROOM_SRCS})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(fovea::${ROOM_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${ROOM_NAME} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                $<INSTALL_INTERFACE:include>)
  target_link_libraries(${target} ${scope} ${ROOM_DEPS} ${ROOM_LIBS})
  target_compile_features(${target} ${scope} cxx_std_20)
  if(ROOM_SRCS)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:fovea_flags>)
  endif()

  install(TARGETS ${target} EXPORT foveaTargets)
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION include/fovea/${ROOM_NAME}
          FILES_MATCHING PATTERN "*.h")
  set_property(GLOBAL APPEND PROPERTY FOVEA_ROOMS "${ROOM_NAME}")
  set_property(GLOBAL PROPERTY FOVEA_DEPS_${ROOM_NAME} "${ROOM_DEPS}")
  set_property(GLOBAL PROPERTY FOVEA_FOLDER_DEPS_${ROOM_NAME} "${ROOM_FOLDER_DEPS}")

  if(FOVEA_TESTS AND ROOM_TESTS)
    add_executable(${ROOM_NAME}_test ${ROOM_TESTS})
    # Each file of tests is a world of its own, with a `small()` of what it tests.
    set_target_properties(${ROOM_NAME}_test PROPERTIES UNITY_BUILD OFF)
    target_link_libraries(${ROOM_NAME}_test PRIVATE fovea::${ROOM_NAME} fovea_flags GTest::gtest
                                                    GTest::gtest_main)
    target_compile_definitions(${ROOM_NAME}_test
                               PRIVATE FOVEA_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures")
    add_test(NAME ${ROOM_NAME} COMMAND ${ROOM_NAME}_test)
    set_tests_properties(${ROOM_NAME} PROPERTIES TIMEOUT 600)
  endif()
endfunction()

# Writes what the rooms declared, for cmake/CheckRooms.cmake.
function(fovea_write_rooms file)
  get_property(rooms GLOBAL PROPERTY FOVEA_ROOMS)
  set(text "set(ROOMS ${rooms})\n")
  foreach(room ${rooms})
    get_property(deps GLOBAL PROPERTY FOVEA_DEPS_${room})
    string(REPLACE "fovea::" "" deps "${deps}")
    string(APPEND text "set(DEPS_${room} ${deps})\n")
    get_property(folder_deps GLOBAL PROPERTY FOVEA_FOLDER_DEPS_${room})
    string(APPEND text "set(FOLDER_DEPS_${room} ${folder_deps})\n")
  endforeach()
  file(WRITE ${file} "${text}")
endfunction()
