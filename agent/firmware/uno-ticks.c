// A base image for an Arduino Uno: blinks the LED and prints a tick each second. It sleeps in between.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdlib.h>

EMPTY_INTERRUPT(TIMER1_COMPA_vect)

static void send(char byte) {
	while (!(UCSR0A & (1 << UDRE0))) {
	}
	UDR0 = byte;
}

static void send_text(const char *text) {
	for (char byte; (byte = pgm_read_byte(text)); text++) send(byte);
}

int main(void) {
	// 115,200 baud at 16 MHz, at double speed.
	UBRR0 = 16;
	UCSR0A = 1 << U2X0;
	UCSR0B = 1 << TXEN0;
	DDRB = 1 << PB5;
	// Timer 1 counts to 62,500 at 16 MHz / 256: one second.
	OCR1A = 62499;
	TCCR1B = (1 << WGM12) | (1 << CS12);
	TIMSK1 = 1 << OCIE1A;
	set_sleep_mode(SLEEP_MODE_IDLE);
	sei();
	send_text(PSTR("Base image of Arduino Uno\r\n"));
	for (uint16_t tick = 1;; tick++) {
		sleep_mode();
		PINB = 1 << PB5;
		char digits[6];
		utoa(tick, digits, 10);
		send_text(PSTR("tick "));
		for (char *digit = digits; *digit; digit++) send(*digit);
		send_text(PSTR("\r\n"));
	}
}
