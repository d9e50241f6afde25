// Common things that the icon set has not, drawn in its manner: flat shapes in a square of 32.
const box = (x: number, y: number, width: number, height: number, fill: string, more = ""): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const shape = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, color: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round"/>`;
const dot = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;

/** By name, as icons of the set are. */
export const OWN_ICONS: Readonly<Record<string, string>> = {
  lighthouse:
    shape("M4 30Q16 25 28 30Z", "#7d8794") +
    shape("M12.5 11H19.5L22 29H10Z", "#f7f2ea") +
    shape("M11.9 15H20.1L20.7 19.5H11.3Z M10.9 23.5H21.2L21.8 28H10.3Z", "#d8433b") +
    box(11, 9.6, 10, 1.8, "#4a4f5c", 'rx=".6"') +
    box(13, 5.4, 6, 4.4, "#ffe28a") +
    box(15.5, 5.4, 1, 4.4, "#4a4f5c") +
    shape("M12.4 5.6L16 2L19.6 5.6Z", "#b5322c") +
    shape("M13 7.6L2 4.5V10.5Z M19 7.6L30 4.5V10.5Z", "#ffe9a866") +
    box(14.8, 25, 2.4, 4, "#6b4a3a", 'rx="1.2"'),
  windmill:
    shape("M12 13H20L23 30H9Z", "#efe3d0") +
    shape("M11 14L16 8.5L21 14Z", "#a5523c") +
    box(14.4, 24.5, 3.2, 5.5, "#7a5238", 'rx="1.6"') +
    dot(16, 19.5, 1.3, "#6fa3c7") +
    [45, 135, 225, 315]
      .map(
        (turn) =>
          `<g transform="rotate(${turn} 16 12)">${box(15.6, 1.5, 0.9, 10.5, "#6d4c3d")}${box(16.5, 1.5, 3, 7.5, "#fff7ea")}${line("M16.5 4H19.5M16.5 6.5H19.5", "#c9b79c", 0.5)}</g>`,
      )
      .join("") +
    dot(16, 12, 1.4, "#5a3d30"),
  bridge:
    shape("M0 14Q16 6 32 14V30H28Q28 19 22 19T17.5 30H14.5Q14.5 19 9 19T4 30H0Z", "#a9a093") +
    shape("M0 14Q16 6 32 14V16Q16 8 0 16Z", "#8b8276") +
    line("M2 20H4M28 20H30M14.8 15H17.2M9 14.5H11M21 14.5H23M15 20H17", "#8b8276", 0.8),
  pyramid:
    shape("M16 5L31 29H1Z", "#e8bf6a") +
    shape("M16 5L31 29H20Z", "#c69746") +
    line("M11.5 13H20.9M7.5 19.500H24.900M4 25H28.4", "#b98c3f", 0.5),
  igloo:
    shape("M3 27A13 13 0 0 1 29 27Z", "#eaf4fb") +
    line("M4.5 21H27.5M8.5 16.500H23.500M16 14V16.500M11 17V21M21 17V21M7 21V27M25 21V27", "#b9d3e6", 0.7) +
    shape("M11 27V24A5 5 0 0 1 21 24V27Z", "#cfe3f1") +
    shape("M13 27V24.500A3 3 0 0 1 19 24.500V27Z", "#46617c"),
  barn:
    shape("M4 14L9 7L16 3.500L23 7L28 14V29H4Z", "#b8403a") +
    line("M4 14L9 7L16 3.500L23 7L28 14", "#6e2a2a", 1.6) +
    box(11, 18, 10, 11, "#8f2d2b") +
    line("M11 18H21V29H11ZM11 18L21 29M21 18L11 29", "#f4ead9", 0.9) +
    box(13.5, 9.5, 5, 4.5, "#f4ead9") +
    box(14.3, 10.3, 3.4, 2.9, "#5a3a3a"),
  "hot-air-balloon":
    shape("M16 1C9 1 5 6 5 11.500S11 20.5 13 23H19C21 20.5 27 17 27 11.500S23 1 16 1Z", "#e5533d") +
    shape(
      "M16 1C12.5 1 10.5 6 10.5 11.500S13 20.5 14.3 23H17.700C19 20.5 21.5 17 21.5 11.500S19.5 1 16 1Z",
      "#f9c846",
    ) +
    shape(
      "M16 1C14.8 1 14.2 6 14.2 11.500S15 20.5 15.4 23H16.600C17 20.5 17.8 17 17.8 11.500S17.2 1 16 1Z",
      "#3f8fc9",
    ) +
    line("M13.2 23L14 27M18.8 23L18 27", "#6b4a3a", 0.5) +
    box(13.3, 26.5, 5.4, 4, "#9a6a43", 'rx=".8"'),
  waterfall:
    shape("M0 4H10V30H0Z M22 4H32V30H22Z", "#7c8478") +
    shape("M0 4Q5 1.5 10 4V7Q5 5 0 7Z M22 4Q27 1.5 32 4V7Q27 5 22 7Z", "#6aa35a") +
    shape("M10 5Q16 3 22 5V28H10Z", "#7fc3e8") +
    line("M12.5 7V24M16 6V26M19.5 7V23", "#d9f0fb", 1.1) +
    [9, 13, 17, 21, 24].map((x, i) => dot(x, 28 - (i % 2), 2.6, "#eef8fd")).join(""),
  submarine:
    shape("M4 20C4 15.5 9 14 16 14S29 15.5 29 20S23 26 16 26S4 24.5 4 20Z", "#f2b632") +
    shape("M4 20C4 24.5 9 26 16 26S29 24.5 29 20Z", "#d6952a") +
    shape("M13 14L14 9H20L21 14Z", "#f2b632") +
    line("M17 9V5H20", "#6b7280", 1.1) +
    [10, 16, 22].map((x) => dot(x, 19, 1.9, "#6b7280") + dot(x, 19, 1.3, "#bfe4f5")).join("") +
    shape("M4 20L1 16.500V23.500Z", "#b5762a"),
  piano:
    shape("M3 12Q3 8 8 8H19Q24 8 25 12T29 18V20H3Z", "#2f2b35") +
    shape("M6 8Q14 0 27 4L25.5 12Q24 8 19 8Z", "#443f4d") +
    box(3, 18, 26, 4.5, "#3a3542") +
    box(4, 18.6, 20, 2.2, "#fbf7ef") +
    line(
      "M6.5 18.600V20M9 18.600V20M12.5 18.600V20M15 18.600V20M18 18.600V20M20.5 18.600V20",
      "#2f2b35",
      0.8,
    ) +
    line("M5.5 22.500V30M26 22.500V30M15 22.500V29", "#2f2b35", 1.6),
  "sailing-ship":
    shape("M3 21H29Q28 28 22 28H10Q5 28 3 21Z", "#7a4b2e") +
    shape("M3 21H29L28.5 23H3.600Z", "#5c3620") +
    line("M16 21V3M8.5 21V7M23.5 21V7", "#4a2f20", 0.9) +
    shape(
      "M11.5 5Q19 8 20.5 5V13Q16 15.5 11.5 13Z M12 14Q16 16.5 20.5 14V20H11.500Z M4.5 9Q8 11 12 9V18Q8 20 4.5 18Z M20.5 9Q24 11 28 9V18Q24 20 20.5 18Z",
      "#f6ead2",
    ) +
    shape("M16 1.500L21 3L16 4.500Z", "#2b2930"),
  "treasure-chest":
    shape("M4 14Q4 7 10 7H22Q28 7 28 14Z", "#8a552d") +
    box(4, 14, 24, 13, "#a3683a", 'rx="1"') +
    [8, 12, 16, 20, 24].map((x, i) => dot(x, 14 - (i % 2), 2.3, "#f8cf4a")).join("") +
    box(4, 15.5, 24, 2, "#6d4120") +
    line("M8 7.500V27M24 7.500V27", "#d9a93f", 1.6) +
    box(14, 15, 4, 4.5, "#f0c24b", 'rx=".8"'),
  treehouse:
    shape("M14 14H18L19 31H13Z", "#7b5236") +
    [
      [9, 9],
      [16, 5.5],
      [23, 9],
      [11, 14],
      [21, 14],
    ]
      .map(([x = 0, y = 0]) => dot(x, y, 6, "#4f9a4f"))
      .join("") +
    box(9.5, 12, 13, 8.5, "#b98352") +
    shape("M8 12.500L16 7L24 12.500Z", "#8f3d33") +
    box(14.5, 15, 3, 5.5, "#5e3d28") +
    box(8, 20.5, 16, 1.3, "#6d4730") +
    line("M20 21.500V31M22.5 21.500V31M20 24H22.500M20 27H22.500M20 30H22.5", "#6d4730", 0.7),
  island:
    shape("M1 27Q8 19.5 16 20.500T31 27Q16 31 1 27Z", "#f0d493") +
    shape("M9 22Q16 17.5 24 22.500Q16 24.5 9 22Z", "#79b65c") +
    line("M16 21Q14.5 14 18 8.5", "#8a6139", 1.7) +
    shape(
      "M18 8.500Q12 4 8 8.500Q13 7.5 18 8.500Q12.5 10 11 14.5Q15 11 18 8.500Q24 3.5 28 8Q23 7.5 18 8.500Q24 10 24.5 14.5Q21.5 10.5 18 8.500Z",
      "#3f9a57",
    ),
  orca:
    shape("M2 19C5 12 14 10 21 12L30 8L27.5 14.5L30 20L23 17.500C18 23 7 25 2 19Z", "#23272f") +
    shape("M3 19.500C8 23.5 15 22.5 19 19.500C13 19.5 8 17.5 3 19.500Z", "#f5f5f2") +
    shape("M12.5 11.500L16 4L18 11.500Z", "#23272f") +
    `<ellipse cx="8" cy="15.5" rx="2" ry="1" fill="#f5f5f2"/>`,
  knight:
    shape("M10 13H22L23 24H9Z", "#8c97a8") +
    box(10.5, 23, 4.5, 8, "#717c8d", 'rx="1"') +
    box(17, 23, 4.5, 8, "#717c8d", 'rx="1"') +
    shape("M11 12V7Q11 3 16 3T21 7V12Q16 14.5 11 12Z", "#b4bdca") +
    box(12, 7.5, 8, 1.7, "#2e3440") +
    shape("M15 3Q16 -0.5 21 1Q18 1.5 17 3.500Z", "#d23b3b") +
    line("M25.5 3V21", "#dfe5ec", 1.3) +
    line("M23.5 20H27.5", "#c79a3a", 1.4) +
    shape("M2.5 14H11.500V20Q11.5 24.5 7 26.500Q2.5 24.5 2.5 20Z", "#c9423c") +
    shape("M6.2 14H7.800V26H6.200Z M2.5 18H11.500V19.600H2.500Z", "#f3e9d2"),
};
