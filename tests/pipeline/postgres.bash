# postgres.bash -- a PostgreSQL server for one test: its own data folder, a Unix socket, gone when the test ends.
#
# start_postgres     sets $postgres_store to the address of an empty database; status 77 where there is no server
# stop_postgres      (by itself when the shell ends)

postgres_folder=
postgres_server=

postgres_programs() {
  local folder
  for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V -r) "$(dirname "$(command -v postgres)" 2>/dev/null)"; do
    [ -x "$folder/postgres" ] && [ -x "$folder/initdb" ] && { echo "$folder"; return 0; }
  done
  return 1
}

# It refuses to run as root. It ends with this shell, however that ends.
as_server() {
  if [ "$(id -u)" -eq 0 ]; then
    exec setpriv --reuid=nobody --regid=nogroup --clear-groups --pdeathsig=QUIT env HOME="$postgres_folder" "$@"
  else
    exec setpriv --pdeathsig=QUIT "$@"
  fi
}

start_postgres() {
  local programs
  programs=$(postgres_programs) || { echo "PostgreSQL's server is not installed"; exit 77; }
  postgres_folder=$(mktemp -d "${TMPDIR:-/tmp}/tarry-postgres.XXXXXX")
  [ "$(id -u)" -ne 0 ] || chown nobody:nogroup "$postgres_folder"
  trap stop_postgres EXIT
  (cd "$postgres_folder" && as_server "$programs/initdb" -D "$postgres_folder/data" -A trust -U tarry -E UTF8 \
    --locale=C --no-sync) >initdb.log 2>&1 || { tail -5 initdb.log; echo "initdb fails"; exit 1; }
  chmod 755 "$postgres_folder"
  as_server "$programs/postgres" -D "$postgres_folder/data" -k "$postgres_folder" -c listen_addresses= \
    -c max_connections=40 >postgres.log 2>&1 &
  postgres_server=$!
  postgres_store="postgresql://tarry@/postgres?host=$postgres_folder"
  local try
  for try in $(seq 300); do
    [ -S "$postgres_folder/.s.PGSQL.5432" ] && "$programs/pg_isready" -q -h "$postgres_folder" && return 0
    kill -0 "$postgres_server" 2>/dev/null || break
    sleep 0.1
  done
  tail -5 postgres.log
  echo "PostgreSQL's server does not start"
  exit 1
}

stop_postgres() {
  [ -n "$postgres_folder" ] || return 0
  if [ -n "$postgres_server" ]; then
    kill -INT "$postgres_server" 2>/dev/null || true
    wait "$postgres_server" 2>/dev/null || true
  fi
  rm -rf "$postgres_folder"
  postgres_folder=
}
