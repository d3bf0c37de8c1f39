#!/bin/sh
# A pilot in shell: takes Map jobs from Weir's gateway and runs them, one after the other. It needs a POSIX shell, curl 7.55, and python3 for JSON. It
# shows what a pilot does; for production there is ./weir pilot --gateway (docs/PILOT.md), which also limits, cleans up, and keeps results on disk.
#   GATEWAY=http://127.0.0.1:8090 TOKEN_FILE=token PILOT=node7-1 POOL=cpu PROGRAMS=/opt/spd/bin docs/pilot.sh
set -eu
export PILOT POOL PROGRAMS
case $TOKEN_FILE in /*) ;; *) TOKEN_FILE=$PWD/$TOKEN_FILE ;; esac
token() { printf 'Authorization: Bearer %s\n' "$(head -n 1 "$TOKEN_FILE")" > headers; } # Not on a command line, which everybody sees.
# strike SIGNAL TARGET: a process, or with - before it its group, which a process that has just begun does not have yet.
strike() { kill -s "$1" -- "$2" 2> /dev/null || kill -s "$1" "${2#-}" 2> /dev/null; }
running= # What is to be ended with the pilot.
end() {
  trap '' TERM INT HUP
  for _ in 1 2 3 4 5; do [ -n "$running" ] && strike TERM "$running" && sleep 1 || break; done
  [ -z "$running" ] || strike KILL "$running" || :
  rm -rf "$work"
}
work=$(mktemp -d) || exit 1
trap end EXIT && trap 'exit 143' TERM INT HUP
cd "$work" || exit 1
token && welcome=
# post OPERATION: fails if it may work later. A token that is refused at first ends the pilot; a report that is not valid is told of and dropped.
post() {
  http=$(curl -sS -m 90 -H @headers -H 'Content-Type: application/json' --data-binary "@$1.json" -o "$1.answer" -w '%{http_code}' "$GATEWAY/$1") || http=000
  case $http in 200) welcome=yes && return ;; 000) return 1 ;; esac
  echo "$1 is answered with $http: $(cat "$1.answer")" >&2
  case $http in 401 | 403) [ -n "$welcome" ] || exit 1 && token && return 1 ;; esac
  case $1$http in report400 | report413 | report422) echo '{"notices": []}' > "$1.answer" ;; *) return 1 ;; esac
}
prelude='import hashlib, json, os, re, shlex, sys, zlib; from os.path import dirname, exists, getsize; from urllib.parse import quote, unquote
sys.tracebacklimit = 0; load = lambda name: json.load(open(name)); args = sys.argv[1:]
job = load("pop.answer").get("job", {}) if exists("pop.answer") else {}
'
json() { lines=$1 && shift && python3 -c "$prelude$lines" "$@"; }
field() { json 'print(job.get(args[0], ""))' "$1"; }
# notices ANSWER: the types of those about this pilot or its job.
notices() { json 'mine = (None, None), (job.get("uid"), job.get("attempt"))
print(*[n["type"] for n in load(args[0])["notices"] if (n.get("job_uid"), n.get("attempt")) in mine])' "$1"; }
drain() { case $(notices "$1") in *drain*) drained=$(($(date +%s) + 60)) ;; *resume*) drained=0 ;; esac; }
# report TYPE NAME=VALUE…: about the job if there is one; repeated until the broker has it.
report() {
  json 'r = dict({"type": args[0], "pilot_id": os.environ["PILOT"], "pool": os.environ["POOL"]}, **dict(a.split("=", 1) for a in args[1:]))
if job: r.update(job_uid=job["uid"], attempt=job["attempt"], route=job["route"])
if "exit_code" in r: r["exit_code"] = int(r["exit_code"])
why = open("why", errors="replace").read(1000).split("\n")[0] if r["type"] == "result" and exists("why") else ""
if why: r["error_message"] = why
for kind in ("out", "log") if r["type"] == "result" else ():
    if exists(kind): r.update({f"file_{kind}_url": job[f"file_{kind}_url"], f"file_{kind}_size": getsize(kind)})
print(json.dumps({"pilot_id": r["pilot_id"], "reports": [r]}))' "$@" > report.json
  until post report; do sleep 5; done
}
run='names = {"{file_in}": "in", "{file_out}": "out", "{file_log}": "log", "{job_uid}": job["uid"], "{task_uid}": job["task_uid"], "{attempt}": str(job["attempt"])}
try:
    words = shlex.split(job["args"])
    for name, value in names.items(): words = [word.replace(name, value) for word in words]
    os.setsid()
    os.remove("unstarted")
    os.execv(os.path.join(os.environ["PROGRAMS"], os.path.basename(job["executable"])), [job["executable"]] + words)
except (OSError, ValueError) as e: # 7, 8 and 40 are E2BIG, ENOEXEC and ELOOP. Other errors, as EIO and ENOMEM, are faults of the node.
    of_program = isinstance(e, (FileNotFoundError, NotADirectoryError, PermissionError, ValueError)) or e.errno in (7, 8, 40)
    open("unstarted", "w").write("executable" if of_program else "stage_in")
    sys.exit(e)'
# So that no two attempts write the same file, its name gets the id of the pilot, and something random if the job may have been at a pilot before.
name='writer = os.environ["PILOT"] + ("-r" + os.urandom(3).hex() if load("pop.answer").get("redelivered") else "")
for key in ("file_out_url", "file_log_url"):
    directory, slash, name = job[key].rpartition("/")
    stem, dot, end = name.rpartition(".") if "." in name[1:] else (name, "", "")
    names = [f"{stem}.{by}{dot}{end}" for by in (writer, hashlib.sha256(writer.encode()).hexdigest()[:8])]
    job[key] = directory + slash + names[len(names[0].encode()) > 255]
json.dump({"job": job}, open("pop.answer", "w"))'
# A file: URL has a name as it is, or, if there is no such input, with escapes. In other URLs # and ? belong to the path, and escapes stay.
address='scheme, _, rest = job[args[0]].partition(":")
host, path = re.match("(//[^/]*)?(.*)", rest, re.S).groups("")
if scheme != "file": print(scheme + ":" + host + quote(re.sub("%(?![0-9A-Fa-f]{2})", "%25", path), safe="%/:@!$&\x27()*+,;=")); sys.exit()
if host not in ("", "//", "//localhost"): sys.exit("a file: URL names another host")
if args[0] != "file_in_url": os.makedirs(dirname(path), exist_ok=True)
elif not exists(path): path = unquote(path)
print("file://" + quote(path))'
# To a file: URL the file goes under another name, so that nobody reads half of it.
place='
import shutil, signal
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
aside = f"{dirname(path)}/.weir-{hashlib.sha256(path.encode()).hexdigest()[:16]}.part"
try: os.replace(shutil.copyfile(args[1], aside), path)
finally: exists(aside) and os.remove(aside)'
# move FIELD -o|-T FILE …: from or to the address in a field of the job. What is wrong is then in the file "why".
move() {
  url=$(json "$address" "$1" 2> why) && shift || return 1
  curl -gsSf --connect-timeout 30 --speed-limit 1 --speed-time 600 -w '%{http_code}' "$@" --url "$url" > http 2> why & pid=$!
  attend "$pid" "$pid" && http=$(cat http) || return 1
  case $http$1 in 000* | 200* | 201-T | 204-T) ;; *) echo "the storage answers with $http" > why && return 1 ;; esac
}
# upload NAME: fails if there is such a file and it cannot be stored. An earlier cause of failure stays in "why".
upload() {
  [ -e "$1" ] || return 0
  mv why earlier 2> /dev/null || :
  stored=yes
  case $(field "file_$1_url") in
    file:*) { (exec python3 -c "$prelude$address$place" "file_$1_url" "$1") > http 2> why & pid=$!; } && attend "$pid" "$pid" || stored= ;;
    *) move "file_$1_url" -T "$1" -o /dev/null || stored= ;;
  esac
  [ ! -s earlier ] || mv earlier why
  rm -f earlier && [ -n "$stored" ]
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
    [ "$now" -lt "$beat" ] || { report heartbeat state=busy && heed && beat=$((now + 15)); }
  done
  [ "$stopped" = "$before" ] || kill -s KILL -- "-${2#-}" 2> /dev/null || : # What is left of its group.
  running= && wait "$1"
}
check='size, said, text = getsize("in"), job.get("file_in_size"), job.get("file_in_checksum") or ""
if said not in (None, size): sys.exit(f"the input has {size} bytes; the job says {said}")
if not text.strip(): sys.exit()
kind, _, digits = (part.strip().lower() for part in text.rpartition(":"))
kind = kind.replace("-", "") or {8: "adler32", 32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}.get(len(digits))
if kind not in ("adler32", "crc32", "md5", "sha1", "sha256", "sha512"): sys.exit(f"the checksum {text!r} is of no known algorithm")
rolling = getattr(zlib, kind, None)
made = rolling(b"") if rolling else hashlib.new(kind)
with open("in", "rb") as data:
    for block in iter(lambda: data.read(1 << 20), b""): made = rolling(block, made) if rolling else made.update(block) or made
found = f"{made:08x}" if rolling else made.hexdigest()
if found != digits: sys.exit(f"the input has the checksum {kind}:{found}; the job says {text}")'
verify() { (exec python3 -c "$prelude$check") 2> why & pid=$! && attend "$pid" "$pid"; }
# Whether the arguments name {file_out}. If not, what the program prints is its output.
named='sys.exit(not any("{file_out}" in word for word in shlex.split(job["args"])))'
is_file() { [ -f "$1" ] && [ ! -L "$1" ]; }
drained=0
while :; do
  rm -rf pop.answer in out log why unstarted
  report heartbeat state=idle
  drain report.answer
  if [ "$(date +%s)" -lt "$drained" ]; then queues=; else queues="\"$POOL\""; fi
  printf '{"pilot_id": "%s", "queues": [%s], "wait_s": 15}' "$PILOT" "$queues" > pop.json
  post pop || { rm -f pop.answer && sleep 5 && continue; }
  drain pop.answer
  [ -n "$(field uid)" ] || continue
  json "$name"
  report status status=starting
  status=failed error=stage_in code=-1 stopped= started=$(date -u +%FT%TZ)
  if move file_in_url -o in && [ -z "$stopped" ] && verify && [ -z "$stopped" ] && echo stage_in > unstarted; then # Which stays if not even python3 starts.
    report status status=running
    (exec python3 -c "$prelude$run") > printed 2> log < /dev/null & pid=$!
    attend "$pid" "-$pid" && code=0 || code=$?
    if json "$named" 2> /dev/null; then cat printed >> log; else rm -rf out && mv printed out; fi
    if [ -n "$stopped" ]; then rm -rf out; # Half an output is none.
    elif [ -e unstarted ]; then error=$(cat unstarted) code=-1 && rm -rf out && mv log why;
    elif case $code in 129 | 130 | 137 | 143) ;; *) false ;; esac; then status=killed error=killed && rm -rf out; # By others, or the kernel.
    elif [ $code -ne 0 ]; then error=exit && { is_file out && [ -s out ] || rm -rf out; };
    elif is_file out; then status=finished error=;
    else error=exit && rm -rf out && echo 'exit code 0, but the program wrote no file to {file_out}' > why; fi
    upload out || { rm -rf out && status=failed error=stage_out; }
    upload log || { rm -rf log && status=failed error=stage_out; }
  fi
  [ -z "$stopped" ] || status=$stopped error=killed
  report result "status=$status" "exit_code=$code" "started_at=$started" "ended_at=$(date -u +%FT%TZ)" ${error:+"error_type=$error"}
done
