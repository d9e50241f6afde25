// What this website is called.

export const SITE_NAME = "Atelier";
