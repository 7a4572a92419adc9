# TarryConfig.cmake -- find_package(Tarry) gives the targets
#
#   Tarry::user      the header tarry/user.h; its marks are empty, unless the program is built with `tarry instrument`
#   Tarry::recorder  the same with the recorder behind the marks: records under `tarry measure`
#
# and Tarry_EXECUTABLE, the path of `tarry` if the tools are installed.
get_filename_component(_tarry_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET Tarry::user)
  add_library(Tarry::user INTERFACE IMPORTED)
  set_target_properties(Tarry::user PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_tarry_prefix}/include")
endif()

set(_tarry_recorder "${_tarry_prefix}/lib/tarry/libtarry-mpi.so")
if(NOT TARGET Tarry::recorder AND EXISTS "${_tarry_recorder}")
  add_library(Tarry::recorder INTERFACE IMPORTED)
  set_target_properties(Tarry::recorder PROPERTIES
    INTERFACE_COMPILE_DEFINITIONS TARRY
    INTERFACE_LINK_LIBRARIES Tarry::user
    INTERFACE_LINK_OPTIONS
      "-Wl,--push-state,--no-as-needed,${_tarry_recorder},--pop-state;-Wl,-rpath,${_tarry_prefix}/lib/tarry")
endif()

find_program(Tarry_EXECUTABLE tarry HINTS "${_tarry_prefix}/bin")
mark_as_advanced(Tarry_EXECUTABLE)
unset(_tarry_prefix)
unset(_tarry_recorder)
