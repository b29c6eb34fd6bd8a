# All dependencies are Debian packages; tools/install_packages lists their names.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(Boost REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
find_package(SQLite3 REQUIRED)
find_path(RAPIDJSON_INCLUDE_DIR rapidjson/reader.h REQUIRED)

# The program loads netCDF at run time, by the name that the linker would record.
find_path(NETCDF_INCLUDE_DIR netcdf_mem.h REQUIRED)
find_library(NETCDF_LIBRARY netcdf REQUIRED)
file(REAL_PATH ${NETCDF_LIBRARY} NETCDF_LIBRARY_FILE)
get_filename_component(NETCDF_LIBRARY_NAME ${NETCDF_LIBRARY_FILE} NAME)

# Only kissfft's C++ header is used, since Debian's compiled library is single precision.
find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh REQUIRED)
