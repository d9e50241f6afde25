// The name of this website.

export const SITE_NAME = "Atelier";
