/* python_embedded.c -- a program that runs Python code from a function of its own.
 *
 * usage: python_embedded SCRIPT FILE */
#include <Python.h>
#include <stdio.h>

__attribute__((noinline)) static int run_script(const char *name) {
  FILE *script = fopen(name, "r");
  const int status = script ? PyRun_SimpleFileExFlags(script, name, 0, NULL) : 1;
  if (script) fclose(script);
  return status;
}

int main(int argc, char **argv) {
  wchar_t *arguments[2];
  int status;
  (void)argc;
  Py_Initialize();
  arguments[0] = Py_DecodeLocale(argv[1], NULL);
  arguments[1] = Py_DecodeLocale(argv[2], NULL);
  PySys_SetArgvEx(2, arguments, 0);
  status = run_script(argv[1]);
  Py_Finalize();
  return status;
}
