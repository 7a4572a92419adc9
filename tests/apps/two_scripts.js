// two_scripts.js -- spends three quarters of its time in hot() and one quarter in cold(), 3,000 calls deep.
//
// usage: two_scripts.js SECONDS. Prints its process number, and the share of hot() in both.
function hot(n) { let sum = 0; for (let i = 0; i < n; i++) sum = (sum * 31 + i) | 0; return sum; }
function cold(n) { let sum = 1; for (let i = 0; i < n; i++) sum = (sum * 31 + i) | 0; return sum; }

function work(seconds) {
  const spent = { hot: 0n, cold: 0n };
  const end = process.hrtime.bigint() + BigInt(Math.round(seconds * 1e9));
  let sum = 0;
  for (let now = process.hrtime.bigint(); now < end;) {
    const begin = now;
    sum ^= hot(3000000);
    const between = process.hrtime.bigint();
    sum ^= cold(1000000);
    now = process.hrtime.bigint();
    spent.hot += between - begin;
    spent.cold += now - between;
  }
  return Number(spent.hot) / Number(spent.hot + spent.cold);
}

function deep(calls, seconds) { return calls > 0 ? deep(calls - 1, seconds) : work(seconds); }

console.log(process.pid, deep(3000, Number(process.argv[2])));
