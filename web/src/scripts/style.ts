/** Adds a stylesheet in the only way that the Content-Security-Policy allows. */
export function addStyle(css: string) {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(css);
	document.adoptedStyleSheets.push(sheet);
	return sheet;
}
