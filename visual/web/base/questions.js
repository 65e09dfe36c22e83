// What the server is asked: for what it has by name, and questions, one at a time.

const LOST = "The server does not answer; try again in a moment.";

/**
 * The answer at an address relative to the page, which may be served below a path. An Error where there is none.
 * @param {string} address
 */
export async function fetched(address) {
  const answer = await fetch(new URL(address, document.baseURI));
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

/** Keeps the order of questions and answers: while one is under way only the newest of the next is kept. @template Question, Answer */
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
