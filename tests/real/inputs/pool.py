"""pool.py -- Python: a pool of threads and one of processes."""
import concurrent.futures
import hashlib


def digest(k):
    return hashlib.sha256(bytes([k]) * 2000000).hexdigest()


if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        print("".join(sorted(pool.map(digest, range(20))))[:40])
