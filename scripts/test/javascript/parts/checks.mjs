// Counts what holds and what does not, as scripts/test/servers/editors.sh reads it.

let passed = 0;
let failed = 0;

export function check(name, holds, detail = "") {
    if (holds) {
        passed += 1;
    } else {
        failed += 1;
        console.log(`FAIL ${name}${detail === "" ? "" : `\n    ${String(detail).slice(0, 1500)}`}`);
    }
}

export function same(name, found, expected) {
    const [one, other] = [found, expected].map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
    const place = [...one].findIndex((character, index) => character !== other[index]);
    const from = Math.max(0, place - 60);
    check(name, one === other, `found    ${JSON.stringify(one.slice(from, from + 300))}\n    expected ${JSON.stringify(other.slice(from, from + 300))}`);
}

// What `work` throws.
export function thrown(work) {
    try {
        work();
        return null;
    } catch (error) {
        return error;
    }
}

// Runs all of `work`, and prints the counts.
export async function run(work) {
    try {
        await work();
    } catch (error) {
        check("it runs to its end", false, error.stack ?? error);
    }
    console.log(`${passed} passed, ${failed} failed`);
    // A browser or server that a failure left open would keep the process.
    process.exit();
}
