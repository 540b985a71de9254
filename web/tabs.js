// One tab at a time has the stored files, so that no two overwrite each other's.

/** Of the stored files, which all pages of an origin share wherever they lie. */
const NAME = "outwit";
/** Milliseconds after which another tab is really there, and not this one before it was loaded again. */
const GRACE = 500;
/** Milliseconds that the other tab has to write what waits. */
const PATIENCE = 5000;

function hold(options, onLost) {
  return new Promise((held, failed) => {
    let isHeld = false;
    const keep = () => {
      isHeld = true;
      held();
      // For as long as the page is there.
      return new Promise(() => {});
    };
    navigator.locks.request(NAME, options, keep).catch((error) => (isHeld ? onLost(true) : failed(error)));
  });
}

/**
 * Done once this tab has the stored files. `ask` is called if another one has them, with a function that takes them
 * over; `leave` when another tab takes them from this one, and with `true` if that has them already.
 */
export async function ownFiles(ask, leave) {
  if (!navigator.locks) {
    console.warn("This address is not secure (no HTTPS): do not open Outwit in two tabs, they would overwrite each " +
      "other's files.");
    return;
  }
  const channel = new BroadcastChannel(NAME);
  const waiting = new AbortController();
  const queued = hold({ signal: waiting.signal }, leave);
  let timer;
  const stolen = new Promise((held, failed) => {
    const take = () => {
      channel.postMessage("leave");
      timer = setTimeout(() => {
        waiting.abort();
        hold({ steal: true }, leave).then(held, failed);
      }, PATIENCE);
    };
    timer = setTimeout(() => ask(take), GRACE);
  });
  await queued.catch(() => stolen);
  clearTimeout(timer);
  channel.onmessage = () => leave(false);
}
