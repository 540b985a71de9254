// Stands in the page itself, before all other scripts, and says what is wrong when one of them does not come.

/** Shows a text over the game, and what can be done about it: functions by the words on their buttons. */
function showCover(text, choices = {}) {
  const status = document.getElementById("status");
  document.getElementById("cover").hidden = false;
  document.getElementById("loaded").hidden = true;
  status.textContent = text;
  const buttons = Object.entries(choices).map(([words, act]) => {
    const button = document.createElement("button");
    button.textContent = words;
    button.onclick = act;
    return button;
  });
  document.getElementById("choices").replaceChildren(...buttons);
}

/** Loads the page again. A copy that the browser keeps for when there is no network goes, if there is one. */
async function reloadFresh() {
  try {
    const answer = await fetch("offline.js", { cache: "reload" });
    const registration = await navigator.serviceWorker?.getRegistration();
    if (answer.ok && registration) {
      const names = (await caches.keys()).filter((name) => name.startsWith(`outwit ${registration.scope} `));
      await Promise.all(names.map((name) => caches.delete(name)));
      await registration.unregister();
    }
  } catch (error) {
    console.warn(error);
  }
  location.reload();
}

addEventListener("error", ({ target, error }) => {
  const isMissing = target instanceof HTMLScriptElement;
  if (isMissing || error instanceof SyntaxError) {
    const which = isMissing ? ` (${target.src.split("/").at(-1)})` : "";
    showCover(
      `A part of Outwit could not be loaded${which}. There may be no network, or a new version has just come.`,
      { Reload: reloadFresh },
    );
  }
}, true);
