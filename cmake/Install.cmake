# Installs everything that an outside project needs to find_package(dpvi) and link dpvi::dpvi.
include(CMakePackageConfigHelpers)
install(TARGETS dpvi EXPORT dpvi-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS dpvi_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT dpvi-targets NAMESPACE dpvi:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dpvi)
configure_package_config_file(cmake/dpvi-config.cmake.in ${PROJECT_BINARY_DIR}/dpvi-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dpvi)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dpvi-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dpvi-config.cmake
              ${PROJECT_BINARY_DIR}/dpvi-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dpvi)
# `dpvi reproduce` reads these files.
install(DIRECTORY experiments/uai2017 DESTINATION ${CMAKE_INSTALL_DATADIR}/dpvi/experiments)
