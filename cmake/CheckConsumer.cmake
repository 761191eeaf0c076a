# Installs the build to a folder of its own and builds and runs a project that finds it there.
# cmake -DSOURCE=<project> -DBUILD=<build> -DFLAGS=<link and compile flags> -P CheckConsumer.cmake
set(work ${BUILD}/consumer)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/installed)
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer -B ${work}/build -G Ninja
    -DCMAKE_PREFIX_PATH=${work}/installed -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
message(STATUS "${output}")
