// Uses the pins of an Arduino Uno: blinks on D13, copies the button on D2 to D7, and the voltage on A0 to the
// pulses of D3. Prints both as `name:value`, five times a second, and sleeps in between.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdlib.h>

#define TICKS_PER_SECOND 20

EMPTY_INTERRUPT(TIMER1_COMPA_vect)

static void send_text(const char *text) {
	for (; *text; text++) {
		while (!(UCSR0A & (1 << UDRE0))) {
		}
		UDR0 = *text;
	}
}

static void send_value(const char *name, int value) {
	char text[8];
	itoa(value, text, 10);
	send_text(name);
	send_text(text);
}

static uint16_t measure(void) {
	ADCSRA |= 1 << ADSC;
	while (ADCSRA & (1 << ADSC)) {
	}
	return ADC;
}

int main(void) {
	UBRR0 = 16; // 115200 baud at double speed
	UCSR0A = 1 << U2X0;
	UCSR0B = 1 << TXEN0;
	DDRB = 1 << PB5;
	DDRD = 1 << PD3 | 1 << PD7;
	PORTD = 1 << PD2; // the pull-up of the button
	ADMUX = 1 << REFS0;
	ADCSRA = 1 << ADEN | 7;
	TCCR2A = 1 << COM2B1 | 1 << WGM20; // 490 Hz
	TCCR2B = 1 << CS22;
	OCR1A = F_CPU / 64 / TICKS_PER_SECOND - 1;
	TCCR1B = 1 << WGM12 | 1 << CS11 | 1 << CS10;
	TIMSK1 = 1 << OCIE1A;
	sei();
	for (uint8_t tick = 0;; tick = (tick + 1) % TICKS_PER_SECOND) {
		sleep_mode();
		uint8_t pressed = !(PIND & (1 << PD2));
		uint16_t voltage = measure();
		if (tick % (TICKS_PER_SECOND / 2) == 0) PINB = 1 << PB5;
		if (pressed) PORTD |= 1 << PD7;
		else PORTD &= ~(1 << PD7);
		OCR2B = voltage >> 2;
		if (tick % (TICKS_PER_SECOND / 5)) continue;
		send_value("pot:", voltage);
		send_value(" button:", pressed);
		send_text("\r\n");
	}
}
