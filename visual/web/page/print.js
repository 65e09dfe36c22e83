// A printed page is as large as the window: its pictures are drawn for this size, and would be cut on another. The printer fits it to the paper.

const paper = document.head.appendChild(document.createElement("style"));

window.addEventListener("beforeprint", () => {
  paper.textContent = `@page { size: ${window.innerWidth}px ${window.innerHeight}px; margin: 0; }`;
});
