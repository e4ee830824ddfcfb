/** Adds a stylesheet, which the Content-Security-Policy allows only this way. */
export function addStyle(css: string) {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(css);
	document.adoptedStyleSheets.push(sheet);
	return sheet;
}
