// A page opened from a folder may not start workers: an iframe runs the script of the search instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      document.body.appendChild(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...urls) =>
        urls.reduce((before, src) => before.then(() => load(inside.document, src)), Promise.resolve());
      this.inside = inside;
      this.ready = load(inside.document, url);
    }

    postMessage(data) {
      const event = () => new this.inside.MessageEvent("message", { data });
      this.ready.then(() => this.inside.dispatchEvent(event()));
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };

  function load(document, src) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      Object.assign(script, { src, onload: resolve, onerror: reject });
      document.body.appendChild(script);
    });
  }
}
