// A message above the game, which makes room for it.

const notice = document.getElementById("notice");

/** Shows a message in place of the one before, with functions by the words on their buttons. */
export function notify(text, choices = {}) {
  const words = document.createElement("p");
  words.textContent = text;
  const buttons = Object.entries({ ...choices, Dismiss: dismiss }).map(([words, act]) => {
    const button = document.createElement("button");
    button.textContent = words;
    button.onclick = () => {
      act();
      document.getElementById("game").focus();
    };
    return button;
  });
  notice.replaceChildren(words, ...buttons);
  notice.hidden = false;
  makeRoom();
}

export function dismiss() {
  notice.hidden = true;
  makeRoom();
}

export function isNoticeShown() {
  return !notice.hidden;
}

function makeRoom() {
  document.body.style.setProperty("--above", `${notice.offsetHeight}px`);
}
addEventListener("resize", makeRoom);
