// Motifs of covers that show screens: pages, dashboards, shops, component kits, phones and code.
import { circle, line, type Motif, pick, rect, round, shape, times } from "./cover-shapes.ts";

/** A window with its title bar. `inside` is drawn from (96, 118) to (704, 480). */
function windowFrame({ from, ink, accent }: Parameters<Motif>[0], inside: string): string {
  return [
    rect(96, 72, 608, 424, { fill: from, radius: 18, stroke: ink }),
    times(3, (i) => circle(126 + i * 24, 97, 6, i === 0 ? accent : ink, i === 0 ? 1 : 0.3)),
    inside,
  ].join("");
}

/** A page with a picture, a heading and columns. */
export const landingPage: Motif = (palette, random) => {
  const { ink, accent } = palette;
  const isSplit = random() < 0.5;
  const columns = 2 + Math.floor(random() * 3);
  const width = (560 - (columns - 1) * 20) / columns;
  return windowFrame(
    palette,
    [
      isSplit
        ? rect(120, 126, 270, 160, { fill: accent, radius: 10, opacity: 0.9 }) +
          times(4, (i) =>
            rect(416, 140 + i * 34, 120 + random() * 130, i === 0 ? 20 : 10, {
              fill: ink,
              radius: 5,
              opacity: 0.6,
            }),
          )
        : rect(120, 126, 560, 120, { fill: accent, radius: 10, opacity: 0.9 }) +
          rect(200, 264, 400, 14, { fill: ink, radius: 7, opacity: 0.6 }),
      times(columns, (i) =>
        rect(120 + i * (width + 20), 310, width, 70 + random() * 80, {
          fill: ink,
          radius: 10,
          opacity: 0.14 + 0.08 * i,
        }),
      ),
    ].join(""),
  );
};

/** Figures at the top, a curve, and bars. */
export const dashboard: Motif = (palette, random) => {
  const { ink, accent } = palette;
  const points = Array.from({ length: 7 }, (_, i) => `${230 + i * 38} ${round(330 - random() * 90)}`);
  return windowFrame(
    palette,
    [
      rect(96, 118, 96, 378, { fill: ink, opacity: 0.1 }),
      times(5, (i) =>
        rect(116, 142 + i * 34, 56, 10, {
          fill: i === 1 ? accent : ink,
          radius: 5,
          opacity: i === 1 ? 1 : 0.35,
        }),
      ),
      times(3, (i) => rect(214 + i * 164, 136, 148, 70, { fill: ink, radius: 10, opacity: 0.09 })),
      times(3, (i) =>
        rect(230 + i * 164, 154, 50 + random() * 40, 14, {
          fill: i === 0 ? accent : ink,
          radius: 7,
          opacity: 0.8,
        }),
      ),
      line(`M${points.join("L")}`, accent, 6),
      rect(214, 226, 264, 240, { fill: ink, radius: 10, opacity: 0.05 }),
      times(6, (i) => {
        const height = 40 + random() * 160;
        return rect(502 + i * 31, 456 - height, 20, height, {
          fill: i % 3 === 1 ? accent : ink,
          radius: 4,
          opacity: i % 3 === 1 ? 0.9 : 0.3,
        });
      }),
      times(3, (i) =>
        rect(230, 366 + i * 30, 140 + random() * 80, 9, { fill: ink, radius: 4, opacity: 0.25 }),
      ),
    ].join(""),
  );
};

/** Pictures of different heights in columns. */
export const portfolio: Motif = ({ ink, accent, from }, random) =>
  times(4, (column) => {
    let y = 40 - random() * 60;
    return times(4, (i) => {
      const height = 110 + random() * 130;
      const fill = pick([ink, accent, from, from], random);
      const made = rect(56 + column * 176, y, 160, height, {
        fill,
        radius: 12,
        opacity: fill === ink ? 0.2 + 0.12 * i : 0.92,
      });
      y += height + 16;
      return made;
    });
  });

/** Products with their prices. */
export const storefront: Motif = ({ ink, accent, from }, random) =>
  times(6, (i) => {
    const x = 92 + (i % 3) * 212;
    const y = 64 + Math.floor(i / 3) * 236;
    const goods = [
      shape(`M${x + 52} ${y + 116}l14-62h60l14 62z`, ink, 0.75) + circle(x + 96, y + 46, 16, accent),
      circle(x + 96, y + 84, 42, ink, 0.75) + circle(x + 96, y + 84, 18, from),
      rect(x + 60, y + 44, 72, 84, { fill: ink, radius: 14, opacity: 0.75 }) +
        line(`M${x + 76} ${y + 44}c0-34 40-34 40 0`, ink, 7, 0.75),
    ] as const;
    return [
      rect(x, y, 192, 212, { fill: from, radius: 16, stroke: ink }),
      pick(goods, random),
      rect(x + 20, y + 156, 80 + random() * 40, 10, { fill: ink, radius: 5, opacity: 0.5 }),
      rect(x + 20, y + 178, 52, 18, { fill: accent, radius: 9 }),
    ].join("");
  });

/** A list of chapters at the side, text, and a block of code. */
export const handbook: Motif = (palette, random) => {
  const { ink, accent } = palette;
  return windowFrame(
    palette,
    [
      times(8, (i) =>
        rect(122 + (i % 3 === 0 ? 0 : 16), 140 + i * 40, 70 + random() * 40, 10, {
          fill: i === 3 ? accent : ink,
          radius: 5,
          opacity: i === 3 ? 1 : 0.35,
        }),
      ),
      rect(270, 136, 220, 24, { fill: ink, radius: 8, opacity: 0.8 }),
      times(4, (i) =>
        rect(270, 184 + i * 24, 300 + random() * 110, 10, { fill: ink, radius: 5, opacity: 0.3 }),
      ),
      rect(270, 296, 410, 160, { fill: ink, radius: 12, opacity: 0.88 }),
      times(4, (i) =>
        rect(292 + (i % 2) * 26, 322 + i * 30, 90 + random() * 200, 10, {
          fill: i === 2 ? accent : palette.from,
          radius: 5,
          opacity: 0.9,
        }),
      ),
    ].join(""),
  );
};

/** Cards with controls. */
export const components: Motif = ({ ink, accent, from }, random) =>
  times(6, (i) => {
    const x = 84 + (i % 3) * 220;
    const y = 96 + Math.floor(i / 3) * 210;
    const controls = [
      () => rect(x + 24, y + 96, 90, 36, { fill: accent, radius: 18 }),
      () =>
        rect(x + 24, y + 96, 64, 34, { fill: ink, radius: 17, opacity: 0.25 }) +
        circle(x + 71, y + 113, 13, accent),
      () =>
        times(3, (bar) =>
          rect(x + 24 + bar * 30, y + 80 + random() * 30, 20, 56, {
            fill: accent,
            radius: 4,
            opacity: 0.5 + bar * 0.2,
          }),
        ),
      () =>
        rect(x + 24, y + 108, 142, 8, { fill: ink, radius: 4, opacity: 0.2 }) +
        rect(x + 24, y + 108, 30 + random() * 90, 8, { fill: accent, radius: 4 }),
    ] as const;
    return [
      rect(x, y, 190, 170, { fill: from, radius: 16, stroke: ink }),
      rect(x + 24, y + 28, 70 + random() * 60, 12, { fill: ink, radius: 6, opacity: 0.7 }),
      rect(x + 24, y + 52, 110 + random() * 30, 8, { fill: ink, radius: 4, opacity: 0.25 }),
      pick(controls, random)(),
    ].join("");
  });

/** The fields of a form with their values. */
export const formFields: Motif = ({ ink, accent, from }, random) => {
  const chosen = Math.floor(random() * 3);
  return [
    rect(190, 60, 420, 480, { fill: from, radius: 24, stroke: ink }),
    rect(226, 100, 150 + random() * 80, 20, { fill: ink, radius: 8, opacity: 0.8 }),
    times(
      3,
      (i) =>
        rect(226, 156 + i * 82, 96, 9, { fill: ink, radius: 4, opacity: 0.45 }) +
        rect(226, 176 + i * 82, 348, 42, {
          fill: i === chosen ? accent : ink,
          radius: 10,
          opacity: i === chosen ? 0.25 : 0.09,
          stroke: i === chosen ? accent : ink,
        }) +
        rect(244, 192 + i * 82, 70 + random() * 150, 10, { fill: ink, radius: 5, opacity: 0.55 }),
    ),
    rect(226, 424, 140, 52, { fill: accent, radius: 26 }),
    rect(386, 424, 120, 52, { fill: ink, radius: 26, opacity: 0.14 }),
  ].join("");
};

/** Frames on a canvas, one of them selected, and a pointer. */
export const designCanvas: Motif = ({ ink, accent, from }, random) => {
  const x = 280 + random() * 60;
  const corners = [
    [x, 130],
    [x + 250, 130],
    [x, 430],
    [x + 250, 430],
  ] as const;
  return [
    rect(90, 110, 170, 240, { fill: from, radius: 6, opacity: 0.8 }),
    rect(100, 380, 130, 130, { fill: ink, radius: 65, opacity: 0.2 }),
    rect(x, 130, 250, 300, { fill: from, radius: 6 }),
    rect(x + 24, 154, 202, 110, { fill: accent, radius: 8, opacity: 0.85 }),
    times(3, (i) =>
      rect(x + 24, 288 + i * 30, 90 + random() * 110, 12, { fill: ink, radius: 6, opacity: 0.4 }),
    ),
    line(`M${round(x)} 130h250v300h-250z`, accent, 3),
    corners
      .map(([cx, cy]) => rect(cx - 7, cy - 7, 14, 14, { fill: "#fff", radius: 2, stroke: accent }))
      .join(""),
    shape(`M${round(x + 276)} 442l18 62 16-26 30-4z`, ink),
    rect(640, 150, 110, 30, { fill: accent, radius: 15 }),
    rect(640, 196, 80, 30, { fill: ink, radius: 15, opacity: 0.3 }),
  ].join("");
};

/** Phones side by side, each with another screen. */
export const phones: Motif = ({ ink, accent, from }, random) => {
  const lift = random() * 60 - 30;
  return times(3, (i) => {
    const x = 118 + i * 196;
    const y = 70 + (i % 2 === 0 ? lift : -lift);
    return [
      rect(x, y, 170, 420, { fill: ink, radius: 30 }),
      rect(x + 9, y + 9, 152, 402, { fill: from, radius: 22 }),
      i === 0
        ? circle(x + 85, y + 120, 44, accent) +
          times(3, (n) =>
            rect(x + 35, y + 210 + n * 40, 100, 24, { fill: ink, radius: 12, opacity: 0.16 + n * 0.1 }),
          )
        : i === 1
          ? rect(x + 25, y + 50, 120, 130, { fill: accent, radius: 16 }) +
            times(5, (n) =>
              rect(x + 25, y + 204 + n * 34, 60 + random() * 60, 12, { fill: ink, radius: 6, opacity: 0.35 }),
            )
          : times(6, (n) =>
              rect(x + 25 + (n % 2) * 64, y + 50 + Math.floor(n / 2) * 78, 56, 66, {
                fill: n === 3 ? accent : ink,
                radius: 12,
                opacity: n === 3 ? 1 : 0.2,
              }),
            ),
      rect(x + 55, y + 388, 60, 6, { fill: ink, radius: 3, opacity: 0.5 }),
    ].join("");
  });
};

/** Lines of code with their colours. */
export const code: Motif = ({ ink, accent, from, to }, random) =>
  [
    rect(80, 56, 640, 488, { fill: ink, radius: 20 }),
    times(3, (i) => circle(116 + i * 26, 90, 7, i === 0 ? accent : from, i === 0 ? 1 : 0.4)),
    times(10, (row) => {
      let x = 150 + pick([0, 0, 36, 72], random);
      const words = 1 + Math.floor(random() * 4);
      return (
        rect(108, 130 + row * 39, 16, 8, { fill: from, radius: 4, opacity: 0.25 }) +
        times(words, () => {
          const width = 40 + random() * 110;
          const made =
            x + width > 690
              ? ""
              : rect(x, 126 + row * 39, width, 14, {
                  fill: pick([accent, from, from, to], random),
                  radius: 7,
                  opacity: 0.85,
                });
          x += width + 16;
          return made;
        })
      );
    }),
  ].join("");
