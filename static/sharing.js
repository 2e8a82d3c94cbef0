// Whether this browser passes a link on itself, or can only copy it. Unlike the modules this runs before the page is
// drawn, so that no button appears under somebody's thumb and moves what they were about to touch.

document.documentElement.classList.add(navigator.share ? "can-share" : "can-copy");
