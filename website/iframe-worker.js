// Search runs in a worker, which browsers refuse to a page that was opened from a folder. There
// a frame does its work: the script finds in it what it would find in a worker.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => queueMicrotask(() => this.onmessage?.({ data }));
      const script = inside.document.createElement("script");
      script.src = new URL(address, document.baseURI).href;
      // What is said before the script is there waits for it.
      this.ready = new Promise((resolve) => (script.onload = resolve));
      script.onerror = (event) => this.onerror?.(event);
      inside.document.head.append(script);
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow?.onmessage?.({ data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
