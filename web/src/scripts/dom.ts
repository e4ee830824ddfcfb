// Finds and creates elements.

/** The element that the page is known to have. */
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

/** The element with the event, or the one around it that fits. */
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

/** The page that a response contains. */
export function parse(html: string) {
	return new DOMParser().parseFromString(html, 'text/html');
}
