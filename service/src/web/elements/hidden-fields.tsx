// Fields that a form sends along without showing them; those without a value are left out.

export function HiddenFields({ values }: { values: Record<string, string | undefined> }) {
	return (
		<>
			{Object.entries(values).map(
				([name, value]) => value && <input type="hidden" name={name} value={value} />,
			)}
		</>
	);
}
