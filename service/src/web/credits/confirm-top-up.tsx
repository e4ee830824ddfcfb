// Asks before credits are booked, and names the account that pays.
import { Credits } from '../elements/credits.tsx';
import { Name } from '../elements/name.tsx';
import { Question } from '../elements/question.tsx';

interface ConfirmTopUpProps {
	credits: number;
	balance: number;
	email: string;
	/** Whether the top-up takes no money. */
	sandbox: boolean;
	back: string;
	values: Record<string, string | undefined>;
}

export function ConfirmTopUp(props: ConfirmTopUpProps) {
	const { credits, balance, email, sandbox, back, values } = props;
	return (
		<Question
			title="Top up these credits?"
			lead={
				sandbox
					? 'This is a demonstration: no money is taken.'
					: 'The payment is made when you confirm. A form that is sent twice pays once.'
			}
			facts={[
				['Account', <Name>{email}</Name>],
				['Top-up', <Credits amount={credits} />],
				['Balance now', <Credits amount={balance} />],
				['Balance afterwards', <Credits amount={balance + credits} />],
			]}
			action="/credits/top-up"
			cancel={back}
			submit="Top up"
			values={values}
			harmful={false}
		/>
	);
}
