/** Loads another script from beside this one; the bundler leaves an address alone. */
export function load<Module>(name: string): Promise<Module> {
	return import(new URL(name, import.meta.url).href);
}
