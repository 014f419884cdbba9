# OpenVDB::openvdb. Debian keeps the module that finds it in a folder of its own.
file(GLOB FIRN_OPENVDB_MODULES /usr/lib/*/cmake/OpenVDB)
list(APPEND CMAKE_MODULE_PATH ${FIRN_OPENVDB_MODULES})
find_package(OpenVDB REQUIRED)
