// The sample firmware of an Arduino Uno: greets, echoes each line in upper case, and knows a few words.
// It sleeps between bytes, so that an idle emulated board costs almost nothing.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <string.h>

#define LONGEST_LINE 120
#define RING 128

static volatile uint8_t ring[RING];
static volatile uint8_t head, tail;

ISR(USART_RX_vect) {
	uint8_t byte = UDR0;
	uint8_t next = (head + 1) % RING;
	if (next == tail) return;
	ring[head] = byte;
	head = next;
}

static void send(char byte) {
	while (!(UCSR0A & (1 << UDRE0))) {
	}
	UDR0 = byte;
}

static void send_text(const char *text) {
	for (char byte; (byte = pgm_read_byte(text)); text++) send(byte);
}

static char receive(void) {
	cli();
	while (head == tail) {
		sleep_enable();
		sei();
		sleep_cpu();
		sleep_disable();
		cli();
	}
	char byte = ring[tail];
	tail = (tail + 1) % RING;
	sei();
	return byte;
}

static void reply(const char *line) {
	if (!strcmp_P(line, PSTR("help"))) {
		send_text(PSTR("Commands: help, pass, fail. Every other line comes back in upper case.\r\n"));
	} else if (!strcmp_P(line, PSTR("pass"))) {
		send_text(PSTR("PASS\r\n"));
	} else if (!strcmp_P(line, PSTR("fail"))) {
		send_text(PSTR("FAIL\r\n"));
	} else {
		for (; *line; line++) send(*line >= 'a' && *line <= 'z' ? *line - 32 : *line);
		send_text(PSTR("\r\n"));
	}
}

int main(void) {
	// 115,200 baud at 16 MHz, at double speed.
	UBRR0 = 16;
	UCSR0A = 1 << U2X0;
	UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
	set_sleep_mode(SLEEP_MODE_IDLE);
	sei();
	send_text(PSTR("Hello from Arduino Uno\r\n"));
	char line[LONGEST_LINE + 1];
	for (uint8_t length = 0;;) {
		char byte = receive();
		if (byte != '\r' && byte != '\n') {
			if (length < LONGEST_LINE) line[length++] = byte;
		} else if (length > 0) {
			line[length] = 0;
			reply(line);
			length = 0;
		}
	}
}
