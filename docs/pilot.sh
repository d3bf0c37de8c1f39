#!/bin/sh
# A pilot in shell: takes Map jobs from Weir's gateway and runs them, one after the other. It needs a POSIX shell, curl 7.55, and python3 for JSON. It
# shows what a pilot does; for production there is ./weir pilot --gateway (docs/PILOT.md), which also limits, cleans up, and keeps results on disk.
#   GATEWAY=http://127.0.0.1:8090 TOKEN_FILE=token PILOT=node7-1 POOL=cpu PROGRAMS=/opt/spd/bin docs/pilot.sh
set -eu
export PILOT POOL PROGRAMS
token=$(head -n 1 "$TOKEN_FILE")
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
printf 'Authorization: Bearer %s\n' "$token" > headers # Not on a command line, which everybody sees.
# post OPERATION: fails if it may work later. A token that is refused ends the pilot; a report that is not valid is told of and dropped.
post() {
  http=$(curl -sS -m 90 -H @headers -H 'Content-Type: application/json' --data-binary "@$1.json" -o "$1.answer" -w '%{http_code}' "$GATEWAY/$1") || http=000
  case $http in 200) return ;; 000) return 1 ;; esac
  echo "$1 is answered with $http: $(cat "$1.answer")" >&2
  case $http in 401 | 403) exit 1 ;; esac
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
# A file: URL has a name as it is, or, if there is no such input, with escapes. In other URLs # and ? belong to the path, and escapes stay.
address='scheme, _, rest = job[args[0]].partition(":")
host, path = re.match("(//[^/]*)?(.*)", rest, re.S).groups("")
if scheme != "file": print(scheme + ":" + host + quote(re.sub("%(?![0-9A-Fa-f]{2})", "%25", path), safe="%/:@!$&\x27()*+,;=")); sys.exit()
if host not in ("", "//", "//localhost"): sys.exit("a file: URL names another host")
if args[0] != "file_in_url": os.makedirs(dirname(path), exist_ok=True)
elif not exists(path): path = unquote(path)
print("file://" + quote(path))'
# move FIELD -o|-T FILE …: from or to the address in a field of the job. What is wrong is then in the file "why".
move() {
  url=$(json "$address" "$1" 2> why) && shift || return 1
  curl -gsSf --connect-timeout 30 --speed-limit 1 --speed-time 600 -w '%{http_code}' "$@" --url "$url" > http 2> why & pid=$!
  attend "$pid" "$pid" && http=$(cat http) || return 1
  case $http$1 in 000* | 200* | 201-T | 204-T) ;; *) echo "the storage answers with $http" > why && return 1 ;; esac
}
upload() { [ ! -e "$1" ] || move "file_$1_url" -T "$1" -o /dev/null; }
heed() { case $(notices report.answer) in *kill*) stopped=killed ;; *cancel*) stopped=cancelled ;; esac; }
# attend PROCESS TARGET: until the process ends, with heartbeats. A notice ends the target of kill, which may be the process or its group.
attend() {
  before=$stopped beat=0 && heed
  while kill -0 "$1" 2> /dev/null; do
    [ "$stopped" = "$before" ] || kill -- "$2" 2> /dev/null || :
    sleep 0.2 2> /dev/null || sleep 1
    now=$(date +%s) && [ $beat -gt 0 ] || beat=$((now + 15))
    [ "$now" -lt "$beat" ] || { report heartbeat state=busy && heed && beat=$((now + 15)); }
  done
  wait "$1"
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
verify() { json "$check" 2> why & pid=$! && attend "$pid" "$pid"; }
drained=0
while :; do
  rm -f pop.answer in out log why unstarted
  report heartbeat state=idle
  drain report.answer
  if [ "$(date +%s)" -lt "$drained" ]; then queues=; else queues="\"$POOL\""; fi
  printf '{"pilot_id": "%s", "queues": [%s], "wait_s": 15}' "$PILOT" "$queues" > pop.json
  post pop || { rm -f pop.answer && sleep 5 && continue; }
  drain pop.answer
  [ -n "$(field uid)" ] || continue
  report status status=starting
  status=failed error=stage_in code=-1 stopped= started=$(date -u +%FT%TZ)
  if move file_in_url -o in && [ -z "$stopped" ] && verify && [ -z "$stopped" ] && echo stage_in > unstarted; then # Which stays if not even python3 starts.
    report status status=running
    (exec python3 -c "$prelude$run") > printed 2> log < /dev/null & pid=$!
    attend "$pid" "-$pid" && code=0 || code=$?
    [ -e out ] || mv printed out
    if [ -n "$stopped" ]; then :; elif [ -e unstarted ]; then error=$(cat unstarted) code=-1 && rm -f out && mv log why; elif [ $code -ne 0 ]; then error=exit; else status=finished error=; fi
    upload out && upload log || { rm -f out log && status=failed error=stage_out; }
  fi
  [ -z "$stopped" ] || status=$stopped error=killed
  report result "status=$status" "exit_code=$code" "started_at=$started" "ended_at=$(date -u +%FT%TZ)" ${error:+"error_type=$error"}
done
