# Trains the example a little, twice, on one thread and on two: the pages must be equal byte for byte.
# Bad input must be refused with exit code 1 and a word of why.
# cmake -DPROGRAM=<pronounce> -DSOURCE=<project> -DWORK=<folder> -P CheckPronounce.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(words ${SOURCE}/tests/data/words.dict)

foreach(threads 1 2)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env OMP_NUM_THREADS=${threads} ${PROGRAM} --dictionary ${words}
            --steps 20 --page ${WORK}/${threads}.html Brand slim
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0 OR NOT EXISTS ${WORK}/${threads}.html)
    message(FATAL_ERROR "exit code ${result}\n${output}")
  endif()
endforeach()
file(SHA256 ${WORK}/1.html one)
file(SHA256 ${WORK}/2.html two)
if(NOT one STREQUAL two)
  message(FATAL_ERROR "one thread and two gave different pages")
endif()

function(refuses expected)
  execute_process(COMMAND ${PROGRAM} --steps 1 --page ${WORK}/refused.html ${ARGN}
                  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE error)
  if(NOT result EQUAL 1 OR NOT error MATCHES "${expected}")
    message(FATAL_ERROR "${ARGN}: exit code ${result}, expected 1 and '${expected}', found: ${error}")
  endif()
endfunction()

file(WRITE ${WORK}/malformed.dict "cat K AE T\nbat\n")
file(WRITE ${WORK}/small.dict "cat K AE T\n")
refuses("cannot be opened" --dictionary ${WORK}/missing.dict)
refuses("malformed.dict:2: expected a word and its sounds, found 'bat'" --dictionary
        ${WORK}/malformed.dict)
refuses("too few" --dictionary ${WORK}/small.dict)
refuses("no word with '2'" --dictionary ${words} r2d2)
refuses("expected a number" --dictionary ${words} --seconds soon)
refuses("no such option" --quickly)
refuses("cannot be written" --dictionary ${words} --page ${WORK}/missing/page.html cat)
