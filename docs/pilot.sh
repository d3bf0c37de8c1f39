#!/bin/sh
# A pilot in shell: takes Map jobs from Weir's gateway and runs them, one after the other. It needs a POSIX shell, curl 7.55, and python3 for JSON. It
# shows what a pilot does; for production there is ./weir pilot --gateway (docs/PILOT.md), which also limits, cleans up, and keeps results on disk.
#   GATEWAY=http://127.0.0.1:8090 TOKEN_FILE=token PILOT=node7-1 POOL=cpu PROGRAMS=/opt/spd/bin docs/pilot.sh
# Its limits: a program runs as the pilot's user and can read what that one can, also the token. A process that leaves the program's group (setsid) outlives
# the job; one that stays there for 5 s after the program is killed, and the job fails. Time, memory and output have no limit, and the disk is looked at only
# after the program: while it is full there are no heartbeats. An upload by HTTP follows no redirect, and is not compared with what the storage then has.
set -eu
export PILOT POOL PROGRAMS
case $TOKEN_FILE in /*) ;; *) TOKEN_FILE=$PWD/$TOKEN_FILE ;; esac
case $PROGRAMS in /*) ;; *) PROGRAMS=$PWD/$PROGRAMS ;; esac
token() { printf 'Authorization: Bearer %s\n' "$(head -n 1 "$TOKEN_FILE")" > headers; } # Not on a command line, which everybody sees.
# strike SIGNAL TARGET: a process, or with - before it its group, which a process that has just begun does not have yet.
strike() { kill -s "$1" -- "$2" 2> /dev/null || kill -s "$1" "${2#-}" 2> /dev/null; }
# discard FILE …: programs may leave directories in which their user may not write.
discard() { chmod -R u+rwx "$work" 2> /dev/null || :; rm -rf "$@" || :; }
running= asking= # What is to be ended with the pilot: a program or a transfer, and a request.
owed= longest=90 # What Weir has to hear of a job that has begun: "killed", or the "result" in report.json. How many seconds a request may take.
end() {
  trap '' TERM INT HUP
  [ -z "$asking" ] || kill "$asking" 2> /dev/null || :
  for _ in 1 2 3 4 5; do [ -n "$running" ] && strike TERM "$running" && sleep 1 || break; done
  [ -z "$running" ] || strike KILL "$running" || :
  longest=5
  [ "$owed" != killed ] || compose result "status=${stopped:-killed}" exit_code=-1 error_type=killed "started_at=$started" "ended_at=$(date -u +%FT%TZ)" || :
  [ -z "$owed" ] || post report || :
  discard "$work"
}
work=$(mktemp -d) || exit 1
cd "$work" && work=$PWD || exit 1
trap end EXIT && trap 'exit 143' TERM INT HUP
token && welcome=
# post OPERATION: fails if it may work later. A token that is refused at first ends the pilot; a report that is not valid is told of and dropped.
post() { # In the background, because a signal is heeded when a command in the foreground has ended.
  curl -sS -m "$longest" -H @headers -H 'Content-Type: application/json' --data-binary "@$1.json" -o "$1.answer" -w '%{http_code}\n' "$GATEWAY/$1" > code & asking=$!
  { wait "$asking" && read -r http < code; } || http=000
  asking=
  case $http in 200) welcome=yes && return ;; 000) return 1 ;; esac
  echo "$1 is answered with $http: $(cat "$1.answer")" >&2
  case $http in 401 | 403) [ -n "$welcome" ] || exit 1 && token && return 1 ;; esac
  case $1$http in report400 | report413 | report422) echo '{"notices": []}' > "$1.answer" ;; *) return 1 ;; esac
}
prelude='import errno, hashlib, json, os, re, shlex, sys, zlib; from os.path import dirname, exists, getsize; from urllib.parse import quote, unquote
sys.tracebacklimit = 0; load = lambda name: json.load(open(name)); args = sys.argv[1:]
job = load("pop.answer").get("job", {}) if exists("pop.answer") else {}
'
json() { lines=$1 && shift && python3 -Ic "$prelude$lines" "$@"; } # -I: no module of the current directory.
field() { json 'print(job.get(args[0], ""))' "$1"; }
# notices ANSWER: the types of those about this pilot or its job.
notices() { json 'mine = (None, None), (job.get("uid"), job.get("attempt"))
print(*[n["type"] for n in load(args[0])["notices"] if (n.get("job_uid"), n.get("attempt")) in mine])' "$1"; }
drain() { case $(notices "$1") in *drain*) drained=$(($(date +%s) + 60)) ;; *resume*) drained=0 ;; esac; }
# compose TYPE NAME=VALUE…: the report, about the job if there is one, into report.json. A result names what has been stored.
compose() {
  json 'r = dict({"type": args[0], "pilot_id": os.environ["PILOT"], "pool": os.environ["POOL"]}, **dict(a.split("=", 1) for a in args[1:]))
if job: r.update(job_uid=job["uid"], attempt=job["attempt"], route=job["route"])
if "exit_code" in r: r["exit_code"] = int(r["exit_code"])
why = open("why", errors="replace").read(1000).split("\n")[0] if r["type"] == "result" and exists("why") else ""
if why: r["error_message"] = why
for kind in ("out", "log") if r["type"] == "result" else ():
    if exists(kind + ".size"): r.update({f"file_{kind}_url": job[f"file_{kind}_url"], f"file_{kind}_size": int(open(kind + ".size").read())})
print(json.dumps({"pilot_id": r["pilot_id"], "reports": [r]}))' "$@" > report.json
}
# report TYPE NAME=VALUE…: repeated until the broker has it.
report() { until compose "$@" && { [ "$1" != result ] || owed=result; } && post report; do sleep 5; done; }
run='place, program = args[0], os.path.join(os.environ["PROGRAMS"], os.path.basename(job["executable"]))
names = {"file_in": job["in"], "file_in_list": place + "/list", "file_out": place + "/out", "file_log": place + "/log",
         "job_uid": job["uid"], "task_uid": job["task_uid"], "attempt": str(job["attempt"])}
os.environ.update(TMPDIR=place + "/tmp", WEIR_JOB_UID=job["uid"], WEIR_TASK_UID=job["task_uid"], WEIR_ATTEMPT=str(job["attempt"]),
                  WEIR_PILOT_ID=os.environ["PILOT"], WEIR_SLOT="0")
try:
    words = [re.sub(r"\{(\w+)\}", lambda name: names.get(name[1], name[0]), word) for word in shlex.split(job["args"])]
    with open(place + "/list", "w") as inputs: inputs.write(job["in"] + "\n")
    os.setsid()
    os.chdir(place + "/work")
    os.remove(place + "/unstarted")
    os.execv(program, [job["executable"]] + words)
except (OSError, ValueError) as e: # 7, 8 and 40 are E2BIG, ENOEXEC and ELOOP. Other errors, as EIO and ENOMEM, are faults of the node.
    of_program = isinstance(e, (FileNotFoundError, NotADirectoryError, PermissionError, ValueError)) or e.errno in (7, 8, 40)
    open(place + "/unstarted", "w").write("executable" if of_program else "stage_in")
    sys.exit(e)'
# What the program has left in its group may still write the output, so it has 5 s to end by itself. One that has ended may stay there as a zombie.
left='import glob, time
def lives(stat):
    try: state, _, group = open(stat, errors="replace").read().rpartition(")")[2].split()[:3]
    except OSError: return False
    return group == args[0] and state not in "ZX"
for _ in range(50):
    try: os.killpg(int(args[0]), 0)
    except ProcessLookupError: sys.exit()
    if exists("/proc/self/stat") and not any(map(lives, glob.glob("/proc/[0-9]*/stat"))): sys.exit()
    time.sleep(0.1)
sys.exit("the program left processes behind that did not end within 5 s")'
# settle: ends the group of a program that has ended; fails if something was to be ended.
settle() {
  kill -s 0 -- "-$pid" 2> /dev/null || return 0
  running=-$pid
  [ -z "$stopped" ] && json "$left" "$pid" 2> why && return
  kill -s TERM -- "-$pid" 2> /dev/null && sleep 1 && kill -s KILL -- "-$pid" 2> /dev/null
  return 1
}
# So that no two attempts write the same file, also if one comes twice, its name gets the id of the pilot and something random. The
# input keeps its name, up to what a file system takes.
name='writer = os.environ["PILOT"] + "-" + os.urandom(3).hex()
for key in ("file_out_url", "file_log_url"):
    directory, slash, name = job[key].rpartition("/")
    stem, dot, end = name.rpartition(".") if "." in name[1:] else (name, "", "")
    names = [f"{stem}.{by}{dot}{end}" for by in (writer, hashlib.sha256(writer.encode()).hexdigest()[:8])]
    job[key] = directory + slash + names[len(names[0].encode()) > 255]
url = job.get("file_in_url", "")
last = re.sub("[\0\n]", "_", unquote(url) if url.startswith("http") else url).rpartition("/")[2].encode(errors="ignore")[-200:].decode(errors="ignore")
job["in"] = args[0] + "/in/" + (last if last not in ("", ".", "..") else "file")
json.dump({"job": job}, open("pop.answer", "w"))'
# A file: URL has a name as it is, or, if there is no such input, with escapes. In other URLs # and ? belong to the path, and escapes stay.
address='scheme, _, rest = job[args[0]].partition(":")
host, path = re.match("(//[^/]*)?(.*)", rest, re.S).groups("")
if scheme != "file": print(scheme + ":" + host + quote(re.sub("%(?![0-9A-Fa-f]{2})", "%25", path), safe="%/:@!$&\x27()*+,;=")); sys.exit()
if host not in ("", "//", "//localhost"): sys.exit("a file: URL names another host")
def there(path): # What cannot be looked at, because its disk fails or it may not be read, may be there.
    try: return os.stat(path)
    except ValueError: return
    except OSError as e: e.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG) or sys.exit(e)
if args[0] == "file_in_url" and not there(path):
    absent, path = path, unquote(path)
    if not there(path): # It is missing if there are others. If there are none, the disk may not be mounted.
        print("there is no file", absent, file=sys.stderr)
        sys.exit(4 if os.path.isdir(dirname(absent)) and os.listdir(dirname(absent)) else 1)
print("file://" + quote(path))'
# To a file: URL the file goes under another name, so that nobody reads half of it. It is on the disk, with all new names, before it is reported.
store='
import shutil, signal
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
def sync(name):
    try: os.fsync(os.open(name, os.O_RDONLY))
    except OSError as e: # Not every file system can do it for a directory, and one that may not be read cannot be opened.
        if e.errno not in (errno.EINVAL, errno.ENOTSUP) and not (e.errno == errno.EACCES and os.path.isdir(name)): raise
changed = [dirname(path)]
while not exists(changed[-1]): changed.append(dirname(changed[-1]))
os.makedirs(dirname(path), exist_ok=True)
aside = f"{dirname(path)}/.weir-{hashlib.sha256(path.encode()).hexdigest()[:16]}.part"
try:
    shutil.copyfile(args[1], aside)
    sync(aside)
    size = getsize(aside)
    os.replace(aside, path)
    for name in changed: sync(name)
finally: exists(aside) and os.remove(aside)
print(201, size)'
# move FIELD -L … -o|-T FILE …: from or to the address in a field of the job. What is wrong is then in the file "why"; if an input is missing, error says so.
move() {
  url=$(json "$address" "$1" 2> why) || { [ $? -ne 4 ] || error=missing; return 1; }
  shift
  case $url in https:*) onwards="=https" ;; *) onwards="=http,https" ;; esac
  curl -gsSf --connect-timeout 30 --speed-limit 1 --speed-time 600 --proto-redir "$onwards" -w '%{http_code} %{size_upload}\n' "$@" --url "$url" > http 2> why & pid=$!
  moved=yes && attend "$pid" "$pid" || moved=
  read -r http _ < http || http=000
  case $moved$http$1 in
    yes000* | yes200* | yes201-T | yes204-T) return ;;
    yes*) echo "the storage answers with $http" > why ;;
    404-L | 410-L) error=missing ;;
  esac
  return 1
}
# upload NAME: fails if there is such a file and it, or on a full disk its size, cannot be stored. An earlier cause of failure stays in "why".
upload() {
  [ -e "$job/$1" ] || return 0
  mv why earlier 2> /dev/null || :
  stored=yes
  case $(field "file_$1_url") in
    file:*) { (exec python3 -Ic "$prelude$address$store" "file_$1_url" "$job/$1") > http 2> why & pid=$!; } && attend "$pid" "$pid" || stored= ;;
    *) move "file_$1_url" -T "$job/$1" -o /dev/null || stored= ;;
  esac
  [ ! -s earlier ] || mv earlier why
  rm -f earlier && [ -n "$stored" ] && sed -n '$s/.* //p' http > "$1.size" && [ -s "$1.size" ] && return
  rm -f "$1.size"
  return 1
}
heed() { case $(notices report.answer) in *kill*) stopped=killed ;; *cancel*) stopped=cancelled ;; esac; }
# attend PROCESS TARGET: until the process ends, with heartbeats. A notice ends the target of kill, which may be the process or its group, within 5 s.
attend() {
  before=$stopped beat=0 patience=0 running=$2 && heed
  while kill -0 "$1" 2> /dev/null; do
    now=$(date +%s) && [ $beat -gt 0 ] || beat=$((now + 15))
    if [ "$stopped" != "$before" ]; then
      [ $patience -gt 0 ] || patience=$((now + 5))
      if [ "$now" -lt $patience ]; then strike TERM "$2" || :; else strike KILL "$2" || :; fi
    fi
    sleep 0.2 2> /dev/null || sleep 1
    [ "$now" -lt "$beat" ] || { compose heartbeat state=busy && post report && heed && beat=$((now + 15)); } || beat=$((now + 5))
  done
  running= && wait "$1"
}
check='size, said, text = getsize(job["in"]), job.get("file_in_size"), job.get("file_in_checksum") or ""
if said not in (None, size): sys.exit(f"the input has {size} bytes; the job says {said}")
if not text.strip(): sys.exit()
kind, _, digits = (part.strip().lower() for part in text.rpartition(":"))
kind = kind.replace("-", "") or {8: "adler32", 32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}.get(len(digits))
if kind not in ("adler32", "crc32", "md5", "sha1", "sha256", "sha512"): sys.exit(f"the checksum {text!r} is of no known algorithm")
rolling = getattr(zlib, kind, None)
made = rolling(b"") if rolling else hashlib.new(kind)
with open(job["in"], "rb") as data:
    for block in iter(lambda: data.read(1 << 20), b""): made = rolling(block, made) if rolling else made.update(block) or made
found = f"{made:08x}" if rolling else made.hexdigest()
if found != digits: sys.exit(f"the input has the checksum {kind}:{found}; the job says {text}")'
verify() { (exec python3 -Ic "$prelude$check") 2> why & pid=$! && attend "$pid" "$pid"; }
# Whether the arguments name {file_out}. If not, what the program prints is its output.
named='sys.exit(not any("{file_out}" in word for word in shlex.split(job["args"])))'
is_file() { [ -f "$1" ] && [ ! -L "$1" ]; }
# full: whether the disk has less than 64 MiB. Then what the job has there goes, but for its log: log and report need room.
full() {
  free=$(df -Pk . | sed -n 's/.* \([0-9][0-9]*\)  *[0-9]*% .*/\1/p')
  [ "${free:-65536}" -lt 65536 ] || return 1
  discard "$job/in" "$job/work" "$job/tmp" "$job/out"
  echo "the working disk has $free KiB free" > why || :
}
drained=0 jobs=0
while :; do
  rm -f pop.answer why printed errors ./*.size
  report heartbeat state=idle
  drain report.answer
  if [ "$(date +%s)" -lt "$drained" ]; then queues=; else queues="\"$POOL\""; fi
  printf '{"pilot_id": "%s", "queues": [%s], "wait_s": 15}' "$PILOT" "$queues" > pop.json && post pop || { rm -f pop.answer && sleep 5 && continue; }
  drain pop.answer
  [ -n "$(field uid)" ] || continue
  jobs=$((jobs + 1)) && job=$work/job$jobs
  json "$name" "$job" || continue # It goes back to its queue.
  status=failed error=stage_in code=-1 stopped= whole= started=$(date -u +%FT%TZ) owed=killed
  report status status=starting
  if mkdir "$job" "$job/in" "$job/work" "$job/tmp" 2> why && move file_in_url -L --max-redirs 5 -o "$(field in)" && [ -z "$stopped" ] && verify && [ -z "$stopped" ] &&
    echo stage_in > "$job/unstarted"; then # Which stays if not even python3 starts.
    report status status=running
    if json "$named" 2> /dev/null; then printed=printed; else printed=$job/out; fi
    (exec python3 -Ic "$prelude$run" "$job") > "$printed" 2> errors < /dev/null & pid=$!
    attend "$pid" "-$pid" && code=0 || code=$?
    settle && alone=yes || alone=
    running=
    [ ! -e "$job/unstarted" ] || code=-1
    if [ -n "$stopped" ]; then :; # Half an output is none.
    elif case $code in 129 | 130 | 137 | 143) ;; *) false ;; esac; then status=killed error=killed; # By others, or the kernel.
    elif full; then error=disk_full;
    elif [ $code = -1 ]; then error=$(cat "$job/unstarted") && mv errors why;
    elif [ -z "$alone" ]; then error=exit;
    elif [ "$code" -ne 0 ]; then error=exit && is_file "$job/out" && [ -s "$job/out" ] && whole=yes || :;
    elif is_file "$job/out"; then status=finished error= whole=yes;
    else error=exit && echo 'exit code 0, but the program wrote no file to {file_out}' > why; fi
    [ -z "$whole" ] || upload out || status=failed error=stage_out
    is_file "$job/log" || discard "$job/log"
    [ -e "$job/unstarted" ] || cat printed errors >> "$job/log" 2> /dev/null || : # On a full disk as much of it as has room.
    upload log || status=failed error=stage_out
  elif full; then error=disk_full; fi
  [ -z "$stopped" ] || status=$stopped error=killed
  report result "status=$status" "exit_code=$code" "started_at=$started" "ended_at=$(date -u +%FT%TZ)" ${error:+"error_type=$error"}
  owed=
  discard "$job"
done
