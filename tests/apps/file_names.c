/* file_names.c -- looks up, makes and changes names of files, 10 times each: what `tarry measure --io` records of it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect(int holds, const char* what) {
  if (holds) return;
  perror(what);
  exit(1);
}

int main(void) {
  char folder[64], file[96], other[96], target[96];
  for (int i = 0; i < 10; ++i) {
    snprintf(folder, sizeof folder, "folder%d", i);
    snprintf(file, sizeof file, "%s/a", folder);
    snprintf(other, sizeof other, "%s/b", folder);
    expect(mkdir(folder, 0755) == 0, "mkdir");
    const int descriptor = open(file, O_CREAT | O_WRONLY, 0600);
    struct stat facts;
    expect(fstat(descriptor, &facts) == 0 && facts.st_size == 0, "fstat");
    close(descriptor);
    expect(stat(file, &facts) == 0, "stat");
    expect(stat("nowhere", &facts) == -1, "stat of nothing");
    expect(lstat(file, &facts) == 0, "lstat");
    expect(fstatat(AT_FDCWD, file, &facts, 0) == 0, "fstatat");
    expect(access(file, R_OK) == 0, "access");
    expect(chmod(file, 0644) == 0, "chmod");
    expect(truncate(file, 7) == 0, "truncate");
    expect(symlink("a", other) == 0, "symlink");
    expect(readlink(other, target, sizeof target) == 1 && target[0] == 'a', "readlink");
    char* const path = realpath(other, NULL);
    expect(path != NULL, "realpath");
    free(path);
    DIR* const names = opendir(folder);
    int entries = 0;
    while (readdir(names)) ++entries;
    expect(entries == 4, "readdir"); /* five calls */
    closedir(names);
    expect(rename(file, other) == 0, "rename");
    expect(unlink(other) == 0, "unlink");
    expect(rmdir(folder) == 0, "rmdir");
  }
  puts("done");
  return 0;
}
