# Installs everything that an outside project needs to find_package(dpvi) and link dpvi::dpvi.
include(CMakePackageConfigHelpers)
install(TARGETS dpvi EXPORT dpvi-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS dpvi_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET dpvi_mpi)
  install(TARGETS dpvi_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi OPTIONAL)
endif()
install(FILES cli/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME dpvi)
install(FILES cli/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
        RENAME _dpvi)
install(FILES ${DPVI_MAN_PAGE} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(EXPORT dpvi-targets NAMESPACE dpvi:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dpvi)
configure_package_config_file(cmake/dpvi-config.cmake.in ${PROJECT_BINARY_DIR}/dpvi-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dpvi)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dpvi-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dpvi-config.cmake
              ${PROJECT_BINARY_DIR}/dpvi-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dpvi)
install(FILES ${DPVI_SBOM} DESTINATION ${CMAKE_INSTALL_DATADIR}/dpvi)
# `dpvi reproduce` reads these files.
install(DIRECTORY experiments/uai2017 DESTINATION ${CMAKE_INSTALL_DATADIR}/dpvi/experiments)
# For builds without CMake, such as that of the R package. The second file serves a build folder that
# is not installed; pkg-config prefers it if the folder is in PKG_CONFIG_PATH.
function(dpvi_write_pc file prefix include library)
  set(DPVI_PC_PREFIX ${prefix})
  set(DPVI_PC_INCLUDE ${include})
  set(DPVI_PC_LIBRARY ${library})
  configure_file(cmake/dpvi.pc.in ${PROJECT_BINARY_DIR}/${file} @ONLY)
endfunction()
# The place of the file itself is the place of the library, wherever the prefix is.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
dpvi_write_pc(dpvi.pc "\${pcfiledir}/${up}" "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}"
  "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
dpvi_write_pc(dpvi-uninstalled.pc ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}
  ${PROJECT_BINARY_DIR}/library)
install(FILES ${PROJECT_BINARY_DIR}/dpvi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
