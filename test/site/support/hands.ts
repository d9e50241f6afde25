// Ways to use a page: with a mouse, with the keyboard alone, and by touch. Each presses and fills as a person would, and fails where that
// way does not work.
import type { Locator, Page } from "playwright-core";

export type Hands = {
  press(what: Locator): Promise<void>;
  /** A radio button or checkbox, which may be hidden next to its label. */
  choose(what: Locator): Promise<void>;
  fill(what: Locator, text: string): Promise<void>;
  /** An option of a list, by its label. */
  pick(what: Locator, label: string): Promise<void>;
};

export type Way = "mouse" | "keyboard" | "touch";

/** More than any page has. */
const MAX_TABS = 300;
const MAX_CHOICES = 20;

export function handsOf(way: Way, page: Page): Hands {
  if (way === "keyboard") return keyboard(page);
  const press = (what: Locator) => (way === "touch" ? what.tap() : what.click());
  return {
    press,
    choose: async (what) => {
      const around = page.locator("label").filter({ has: what });
      await press((await around.count()) > 0 ? around : what);
    },
    fill: async (what, text) => {
      await press(what);
      await what.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    },
    // The list of options is the system's own, which no test can press.
    pick: async (what, label) => void (await what.selectOption({ label })),
  };
}

/** Tab to focus, Enter for links and buttons, Space for checkboxes; arrows only among radio buttons. */
function keyboard(page: Page): Hands {
  return {
    press: async (what) => {
      await tabTo(page, what);
      await page.keyboard.press("Enter");
    },
    choose: async (what) => {
      await tabTo(page, what);
      if (!(await what.isChecked())) await page.keyboard.press("Space");
    },
    fill: async (what, text) => {
      await tabTo(page, what);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    },
    pick: async (what, label) => {
      await tabTo(page, what);
      await page.keyboard.type(label);
    },
  };
}

/** Fails when Tab never reaches it, or when the focus is not visible. */
async function tabTo(page: Page, what: Locator): Promise<void> {
  await what.waitFor({ state: "attached" });
  const isRadio = (await what.getAttribute("type")) === "radio";
  const group = isRadio ? await what.getAttribute("name") : null;
  for (let tabs = 0; tabs <= MAX_TABS; tabs++) {
    if ((await what.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
    const unseen = await page.evaluate<string>(UNSEEN_FOCUS);
    if (unseen !== "") throw new Error(`the focus is not to be seen on ${unseen}`);
    // Tab enters a radio group once, and arrows move within it.
    if (group !== null && (await page.locator(`input[type=radio][name="${group}"]:focus`).count()) > 0) {
      for (let arrows = 0; arrows < MAX_CHOICES && !(await what.isChecked()); arrows++)
        await page.keyboard.press("ArrowDown");
    }
  }
  throw new Error(`the keyboard does not come to ${String(what)}`);
}

/** Names the focused element when its focus is not visible: no outline, or off screen. "" when it is. */
const UNSEEN_FOCUS = `(() => {
  const here = document.activeElement;
  // Players and date fields show it on their inner controls.
  if (!here || here.matches("body, video, audio, input[type=date]")) return "";
  const shown = here.labels?.[0] ?? here;
  const name = here.outerHTML.slice(0, 120);
  const around = [];
  for (let element = here; element !== document.body; element = element.parentElement) around.push(element);
  const isDrawn = [...around, shown, here.nextElementSibling].some((element) =>
    element && [null, "::before", "::after"].some((part) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element, part);
      return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
    }));
  const { top, bottom, left, right, width, height } = here.getBoundingClientRect();
  const isInSight = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth && width + height > 0;
  return isDrawn && isInSight ? "" : name;
})()`;
