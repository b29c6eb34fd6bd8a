# Writes the list of packages in the program (CycloneDX 1.5, JSON): shared libraries that the loader
# resolves, and packages whose headers are compiled in. Versions are those of the installed Debian
# packages; "unknown" where no package owns a file.
#   cmake -DPROGRAM=... -DVERSION=... -DHEADERS=a.h,b.hpp -DOUTPUT=... -P WriteSbom.cmake
cmake_minimum_required(VERSION 3.25)

# Sets `package` and `version` of the package that owns a file.
function(find_package_of file)
  set(found "")
  # /lib is a link to /usr/lib, but some packages still list their files there.
  string(REGEX REPLACE "^/usr/lib" "/lib" other "${file}")
  foreach(path IN ITEMS "${file}" "${other}")
    execute_process(COMMAND dpkg-query --search "${path}" OUTPUT_VARIABLE owner ERROR_QUIET
                    RESULT_VARIABLE failed)
    if(NOT failed AND owner MATCHES "^([^:, ]+)")
      set(found "${CMAKE_MATCH_1}")
      break()
    endif()
  endforeach()
  get_filename_component(name "${file}" NAME)
  set(package "${name}" PARENT_SCOPE)
  set(version "unknown" PARENT_SCOPE)
  if(found)
    # A package may be installed for several architectures, with one version.
    execute_process(COMMAND dpkg-query --show "--showformat=\${Version}\\n" ${found}
                    OUTPUT_VARIABLE versions ERROR_QUIET)
    string(REGEX MATCH "^[^\n]+" one "${versions}")
    set(package "${found}" PARENT_SCOPE)
    set(version "${one}" PARENT_SCOPE)
  endif()
endfunction()

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAM} RESOLVED_DEPENDENCIES_VAR libraries
     UNRESOLVED_DEPENDENCIES_VAR unresolved)
if(unresolved)
  message(FATAL_ERROR "${PROGRAM} needs libraries that are not installed: ${unresolved}")
endif()
set(rows "")
foreach(use IN ITEMS linked headers)
  set(files ${libraries})
  if(use STREQUAL headers)
    string(REPLACE "," ";" files "${HEADERS}")
  endif()
  foreach(file IN LISTS files)
    file(REAL_PATH "${file}" file)
    find_package_of("${file}")
    list(APPEND rows "${package}|${version}|${use}")
  endforeach()
endforeach()
list(SORT rows)
list(REMOVE_DUPLICATES rows)

set(components "")
foreach(row IN LISTS rows)
  string(REPLACE "|" ";" parts "${row}")
  list(GET parts 0 package)
  list(GET parts 1 version)
  list(GET parts 2 use)
  string(REPLACE "+" "%2B" purl_name "${package}")
  string(REPLACE "+" "%2B" purl_version "${version}")
  string(REPLACE ":" "%3A" purl_version "${purl_version}")
  list(APPEND components "    {\"type\": \"library\", \"bom-ref\": \"${package}/${use}\", \"name\": \"${package}\", \"version\": \"${version}\",\n     \"purl\": \"pkg:deb/debian/${purl_name}@${purl_version}\",\n     \"properties\": [{\"name\": \"dpvi:use\", \"value\": \"${use}\"}]}")
endforeach()
list(JOIN components ",\n" components)
file(WRITE ${OUTPUT} "{
  \"bomFormat\": \"CycloneDX\",
  \"specVersion\": \"1.5\",
  \"version\": 1,
  \"metadata\": {\"component\": {\"type\": \"application\", \"bom-ref\": \"dpvi\", \"name\": \"dpvi\", \"version\": \"${VERSION}\"}},
  \"components\": [
${components}
  ]
}
")
