// A text that somebody wrote: isolated, so that right-to-left letters in it do not reorder the page.

export function Name({ children }: { children: string }) {
	return <bdi>{children}</bdi>;
}
