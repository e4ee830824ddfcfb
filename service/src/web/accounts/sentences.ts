/** Why a password is refused, as a whole sentence. */
export function explainPassword(message: string) {
	if (message.includes('common')) return 'This password is too common. Use another one.';
	if (message.includes('address')) return 'Do not use your email address as the password.';
	return 'Use a password of 8 to 128 characters.';
}
