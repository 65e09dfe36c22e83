// Asks one of the server's routes, one question at a time: while one is under way only the newest of the next is kept.

const LOST = "The server does not answer; try again in a moment.";

/** Keeps the order of questions and answers. @template Question, Answer */
export class Questions {
  /** @param {string} address relative to the page. @param {(answer: Answer) => void} onAnswer @param {(words: string) => void} onProblem */
  constructor(address, onAnswer, onProblem) {
    this.address = address;
    this.onAnswer = onAnswer;
    this.onProblem = onProblem;
    /** @type {Question | null} */
    this.next = null;
    this.isWaiting = false;
  }

  /** @param {Question} question */
  ask(question) {
    this.next = question;
    if (!this.isWaiting) void this.send();
  }

  async send() {
    this.isWaiting = true;
    while (this.next) {
      const asked = this.next;
      this.next = null;
      try {
        const response = await fetch(new URL(this.address, document.baseURI), {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(asked),
        });
        const answer = await response.json();
        if (this.next) continue; // a newer one is waiting
        if (response.ok) this.onAnswer(answer);
        else this.onProblem(answer.error || answer.detail ? `${answer.error ?? answer.detail}.` : LOST);
      } catch {
        if (!this.next) this.onProblem(LOST);
      }
    }
    this.isWaiting = false;
  }
}
