# thread_sanitizer.py -- threads of Python that write files and take locks. Prints "sum 400".
import threading

lock = threading.Lock()
total = 0


def work(number):
    global total
    for step in range(100):
        with open(f"thread_{number}.txt", "w") as out:
            out.write(str(step))
        with lock:
            total += 1


threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("sum", total)
