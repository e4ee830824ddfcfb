// Finds and creates elements, and loads scripts and styles.

/** Finds an element that the page must have. */
export function get<Type extends Element = HTMLElement>(
	selector: string,
	root: ParentNode = document,
) {
	const found = root.querySelector<Type>(selector);
	if (!found) throw new Error(`The page has no ${selector}`);
	return found;
}

export function getAll<Type extends Element = HTMLElement>(
	selector: string,
	root: ParentNode = document,
) {
	return [...root.querySelectorAll<Type>(selector)];
}

/** The target of an event, or its closest ancestor that matches. */
export function closest<Type extends Element = HTMLElement>({ target }: Event, selector: string) {
	return target instanceof Element ? target.closest<Type>(selector) : null;
}

export function create<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	properties: Partial<HTMLElementTagNameMap[Name]> = {},
	...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
	const element = document.createElement(name);
	Object.assign(element, properties);
	element.append(...children);
	return element;
}

export function createSvg<Name extends keyof SVGElementTagNameMap>(
	name: Name,
	attributes: Record<string, string | number | boolean> = {},
	...children: Node[]
) {
	const element = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
	element.append(...children);
	return element;
}

/** Adds a stylesheet in the only way that the Content-Security-Policy allows. */
export function addStyle(css: string) {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(css);
	document.adoptedStyleSheets.push(sheet);
	return sheet;
}

/** Loads another script from beside this one; the bundler leaves an address alone. */
export function load<Module>(name: string): Promise<Module> {
	return import(new URL(name, import.meta.url).href);
}

/** Parses the page of a response. */
export function parse(html: string) {
	return new DOMParser().parseFromString(html, 'text/html');
}
