// The mean of what a light sensor has measured, with a mistake that a coding agent finds by the console: lab/transcript.ts.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdio.h>

static const uint8_t readings[] = {188, 190, 195, 200, 201, 199, 205, 198};
#define COUNT (sizeof readings)

static volatile char typed;

ISR(USART_RX_vect) {
	typed = UDR0;
}

static int send(char byte, FILE *stream) {
	(void)stream;
	while (!(UCSR0A & (1 << UDRE0))) {
	}
	UDR0 = byte;
	return 0;
}

static FILE console = FDEV_SETUP_STREAM(send, NULL, _FDEV_SETUP_WRITE);

static char receive(void) {
	cli();
	while (!typed) {
		sleep_enable();
		sei();
		sleep_cpu();
		sleep_disable();
		cli();
	}
	char byte = typed;
	typed = 0;
	sei();
	return byte;
}

static void report(uint8_t verbose) {
	uint8_t sum = 0;
	for (uint8_t i = 0; i < COUNT; i++) {
		sum += readings[i];
		if (verbose) printf("reading %u, sum %u\r\n", readings[i], sum);
	}
	printf("mean %u\r\n", sum / COUNT);
}

int main(void) {
	// 115,200 baud at 16 MHz, at double speed.
	UBRR0 = 16;
	UCSR0A = 1 << U2X0;
	UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
	set_sleep_mode(SLEEP_MODE_IDLE);
	stdout = &console;
	sei();
	printf("Light meter. Press v for every reading.\r\n");
	for (report(0);;) {
		if (receive() == 'v') report(1);
	}
}
