"""Runs programs that try to make a difference, bare and measured: the same output, status and files, and no other line on
stderr than ours. What the recorder may show is taken out: nothing but lines that begin with "tarry"."""
import os
import shutil
import subprocess
import sys

APPS = os.path.join(os.environ["TARRY_ROOT"], "tests", "apps")
C, CXX = ["gcc", "-std=gnu11", "-w"], ["g++", "-std=c++17", "-w"]
EARLY = "early_and_late.c"

# Each program is built by `tarry instrument` and by the compiler alone. name: (compiler, source, options, environment)
BUILDS = {
    "process": (C, "nasty_process.c", ["-O1", "-pthread", "-ldl"], {}),
    "cxx": (CXX, "nasty_cxx.cpp", ["-O1", "-pthread"], {}),
    "own-symbols": (C, "own_symbols.c", ["-O1", "-fno-builtin"], {}),
    "own-symbols-exported": (C, "own_symbols.c", ["-O1", "-fno-builtin", "-Wl,-E"], {}),
    "early": (C, EARLY, ["-O1", "-pthread"], {}),
    "early-now": (C, EARLY, ["-O2", "-pthread", "-fno-plt", "-Wl,-z,relro,-z,now"], {"LD_BIND_NOW": "1"}),
    "early-fixed": (C, EARLY, ["-O2", "-pthread", "-no-pie", "-Wl,--hash-style=sysv"], {}),
    "early-guarded": (C, EARLY, ["-O2", "-pthread", "-fstack-protector-all", "-fcf-protection=full"], {}),
    "early-frameless": (C, EARLY, ["-O3", "-pthread", "-fomit-frame-pointer", "-fno-asynchronous-unwind-tables"], {}),
    "early-split-stack": (C, EARLY, ["-O1", "-pthread", "-fsplit-stack", "-fuse-ld=gold"], {}),
    "early-profiled": (C, EARLY, ["-O1", "-pthread", "-pg"], {}),
    "early-covered": (C, EARLY, ["-O1", "-pthread", "--coverage"], {}),
    "early-undefined": (C, EARLY, ["-O1", "-pthread", "-fsanitize=undefined"], {}),
    "early-address": (C, EARLY, ["-O1", "-pthread", "-fsanitize=address"], {"ASAN_OPTIONS": "verify_asan_link_order=0"}),
    "early-lto": (C, EARLY, ["-O2", "-pthread", "-flto", "-Wl,-E", "-Wl,--gc-sections"], {}),
}
# Those are compared with all ways of measuring, others with the first.
MANY_WAYS = ("process", "cxx", "own-symbols", "early")
WAYS = {"default": ["-s", "-t"], "all": ["-s", "-t", "--io", "--sample", "197"]}

# Interpreters, which the recorder meets as they come. name: (command, script)
SCRIPTS = {
    "perl": (["perl"], 'my $p = fork; if (!$p) { exit 3 } waitpid $p, 0; print "child ", $? >> 8, "\\n";\n'
             'open F, ">own"; print F "x" x 9999; close F; print -s "own", "\\n"; print `echo from a shell`; exit 4;\n'),
    "tclsh": (["tclsh"], 'set f [open own w]; puts $f text; close $f; puts [file size own]; puts [exec echo shell]; exit 5\n'),
    "python3": (["python3"], 'import os, subprocess, threading, sys\nt = [threading.Thread(target=sum, args=(range(10000),)) '
                'for _ in range(8)]\n[x.start() for x in t]; [x.join() for x in t]\nprint(subprocess.run(["sh", "-c", "exit 3"]).returncode)\n'
                'open("own", "w").write("x" * 9999)\nprint(os.stat("own").st_size, sorted(os.listdir("/proc/self/fd"))[:3])\nsys.exit(6)\n'),
    "node": (["node"], 'const fs = require("fs"); fs.writeFileSync("own", "text"); console.log(fs.statSync("own").size);\n'
             'const {Worker, isMainThread} = require("worker_threads"); if (isMainThread) { new Worker(__filename).on("exit", '
             'c => { console.log("worker", c); process.exit(7); }); }\n'),
    "bash": (["bash"], 'echo text >own; wc -c <own; (exit 3); echo $?; echo a | tr a b; exec 3<own; read -u 3 x; echo $x; kill -9 $$\n'),
    "java": (["java"], 'public class Main { public static void main(String[] a) throws Exception { Thread t = new Thread(() -> '
             'System.out.println("thread")); t.start(); t.join(); int n = 0; try { n = new int[0][1].length; } catch (Exception e) { '
             'n = 8; } Object o = null; try { o.hashCode(); } catch (NullPointerException e) { System.out.println("null"); } '
             'System.exit(n); } }\n'),
}
SUFFIX = {"java": ".java", "node": ".js"}

# Streams that take nothing; in a shell of their own. name: (case of nasty_process, redirection)
STREAMS = {
    "full-output": ("low_memory", ">/dev/full"),
    "no-input": ("own_descriptors", "<&-"),
    "no-error": ("own_descriptors", "2>&-"),
    "no-output": ("low_memory", ">&-"),
    "no-streams": ("without_streams", "<&- >&- 2>&-"),
    "error-is-output": ("low_memory", "2>&1 >own-output"),
}


def run(command, folder, environment=None):
    os.makedirs(folder)
    variables = {**os.environ, **(environment or {})}
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, env=variables)
    except subprocess.TimeoutExpired:
        return "hangs", "", "", {}
    files = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                content = file.read()
            # Profiles and counts hold times, and the calls of the recorder's hooks.
            files[os.path.relpath(path, folder)] = b"" if name.endswith((".out", ".gcda", ".gcno")) else content
    own = [line for line in done.stderr.decode(errors="replace").splitlines() if not line.startswith("tarry")]
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode  # as a shell has it
    return status, done.stdout.decode(errors="replace"), "\n".join(own), files


class Table:
    def __init__(self):
        self.failed, self.compared, self.skipped = 0, 0, []

    def compare(self, name, bare, measured, environment=None, ways=("default",), checks_error=True):
        wanted = run(bare, f"bare-{name}", environment)
        for way in ways:
            archive = os.path.abspath(f"archive-{name}-{way}")
            command = ["tarry", "measure", "-q", *WAYS[way], "-o", archive, "--", *measured]
            got = run(command, f"measured-{name}-{way}", environment)
            self.compared += 1
            for what, left, right in zip(("status", "output", "stderr", "files"), wanted, got):
                if left != right and (what != "stderr" or checks_error):
                    print(f"{name}, {way}: {what}: {right!r:.400} instead of {left!r:.400}")
                    self.failed += 1


def build(table, name):
    compiler, source, options, _ = BUILDS[name]
    words = [*options[:1], f"../{source}", "-o"]
    built = {}
    for kind, prefix in (("bare", []), ("instrumented", ["tarry", "instrument"])):
        folder = f"build-{name}"
        os.makedirs(folder, exist_ok=True)
        done = subprocess.run([*prefix, *compiler, *words, f"{kind}.exe", *options[1:]], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            if kind == "bare":
                table.skipped.append(name)
                return None
            print(f"{name}: does not build: {done.stderr[:300]}")
            table.failed += 1
            return None
        built[kind] = os.path.abspath(f"{folder}/{kind}.exe")
    return built


def main():
    wanted = sys.argv[1:]
    table = Table()
    for source in ("nasty_process.c", "nasty_cxx.cpp", "own_symbols.c", EARLY):
        shutil.copy(os.path.join(APPS, source), source)
    for name, (_, _, _, environment) in BUILDS.items():
        if wanted and name not in wanted and name != "process":
            continue
        built = build(table, name)
        if not built:
            continue
        ways = tuple(WAYS) if name in MANY_WAYS else ("default",)
        has_cases = name in ("process", "cxx")
        cases = subprocess.run([built["bare"], "list"], capture_output=True, text=True, check=True).stdout.split() if has_cases else [""]
        for case in cases:
            words = [case] if case else []
            checks = "sanitize" not in " ".join(BUILDS[name][2])
            table.compare(f"{name}-{case}" if case else name, [built["bare"], *words], [built["instrumented"], *words], environment, ways, checks)
        if name != "process":
            continue
        for stream, (case, redirection) in STREAMS.items():
            shell = lambda program: ["sh", "-c", f"exec {program} {case} {redirection}"]
            table.compare(f"stream-{stream}", shell(built["bare"]), shell(built["instrumented"]), checks_error=False)
        if shutil.which("script"):
            pty = lambda program: ["script", "-qec", f"{program} low_memory", "/dev/null"]
            table.compare("terminal", pty(built["bare"]), pty(built["instrumented"]))
    for name, (command, text) in SCRIPTS.items():
        if wanted and name not in wanted:
            continue
        if not shutil.which(command[0]):
            table.skipped.append(name)
            continue
        path = os.path.abspath("Main" + SUFFIX.get(name, "." + name))
        with open(path, "w") as file:
            file.write(text)
        table.compare(f"script-{name}", [*command, path], [*command, path], ways=tuple(WAYS))
    print(f"{table.compared} comparisons, not here: {' '.join(table.skipped) or 'none'}")
    sys.exit(table.failed > 0 or (not wanted and table.compared < 80))


main()
