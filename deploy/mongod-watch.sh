#!/bin/bash
# Ends a mongod that is frozen, as SIGSTOP, a debugger or a hypervisor leave it: it holds its connections and answers nothing. What it runs under
# then starts it again.
#   mongod-watch.sh PORT PID       until this process ends
#   mongod-watch.sh PORT UNIT      for good; UNIT is a service of systemd, such as mongod.service
#   mongod-watch.sh PORT           asks once, as a probe: exit code 1 when it is silent
# Silent is a mongod that takes a connection and says nothing on it for two seconds. One that is starting refuses connections, and one that wants
# TLS closes them: neither is frozen.
set -u
port=$1
target=${2:-}

# {ping: 1, $db: "admin"} in MongoDB's protocol: every server answers it, also before anybody has signed in.
PING='\x33\0\0\0\x01\0\0\0\0\0\0\0\xdd\x07\0\0\0\0\0\0\0\x1e\0\0\0\x10ping\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0'

is_silent() {
  timeout 2 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$0" && printf "$1" >&3 && head -c 1 <&3' "$port" "$PING" > /dev/null 2>&1
  [ $? -eq 124 ]
}

is_wanted() {
  case $target in
    *[!0-9]*) true ;;
    *) kill -0 "$target" 2> /dev/null ;;
  esac
}

end_it() {
  case $target in
    *[!0-9]*) systemctl kill --signal=SIGKILL "$target" ;;
    *) kill -KILL "$target" ;;
  esac
}

if [ -z "$target" ]; then
  if is_silent; then exit 1; fi
  exit 0
fi
misses=0
while sleep 1 && is_wanted; do
  if ! is_silent; then
    misses=0
    continue
  fi
  misses=$((misses + 1))
  if [ "$misses" -eq 3 ]; then
    echo "mongod on port $port has not answered three times in a row: it is frozen, and is ended" >&2
    end_it
    misses=0
  fi
done
