declare module '*.css' {
	const text: string;
	// biome-ignore lint/style/noDefaultExport: it is how a bundler exports a text
	export default text;
}
