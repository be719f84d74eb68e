// Calls to the worker. One that does not answer in time is ended, and the next call gets another.

const PATIENCE = 20_000;

let worker = null;
let ready = null;
let lastId = 0;
const open = new Map();

// Lets the library work, and gives its answer and how long it took.
export async function ask(name, ...args) {
    start();
    await ready;
    return new Promise((resolve, reject) => {
        const id = ++lastId;
        const timer = setTimeout(() => stop("this took longer than 20 seconds, and was stopped"), PATIENCE);
        open.set(id, { resolve, reject, timer });
        worker.postMessage({ id, name, args });
    });
}

function start() {
    if (worker !== null) {
        return;
    }
    worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    ready = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.id === 0 ? resolve() : finish(data));
        worker.onerror = (event) => {
            reject(new Error(event.message || "the library cannot be loaded"));
            stop(event.message || "the library stopped");
        };
    });
}

function finish({ id, answer, time, error }) {
    const call = open.get(id);
    if (call === undefined) {
        return;
    }
    open.delete(id);
    clearTimeout(call.timer);
    if (error === undefined) {
        call.resolve({ answer, time });
    } else {
        call.reject(Object.assign(new Error(error.message), { name: error.name, finding: error.finding }));
    }
}

function stop(reason) {
    worker?.terminate();
    worker = null;
    for (const { reject, timer } of open.values()) {
        clearTimeout(timer);
        reject(new Error(reason));
    }
    open.clear();
}
