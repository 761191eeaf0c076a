/** Drag, pinch, wheel and click on an element, told in pixels of it. */
export interface Gestures {
  move(dx: number, dy: number): boolean;
  zoom(factor: number, x: number, y: number): void;
  hover(at: { x: number; y: number } | undefined): void;
  click(x: number, y: number): void;
}

interface Point {
  x: number;
  y: number;
}

export function listenTo(element: HTMLElement, gestures: Gestures) {
  const down = new Map<number, Point>();
  let moved = false;
  const at = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  element.addEventListener('pointerdown', (event) => {
    down.set(event.pointerId, at(event));
    if (down.size === 1) moved = false;
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener('pointermove', (event) => {
    const now = at(event);
    const before = down.get(event.pointerId);
    if (!before) {
      gestures.hover(now);
      return;
    }
    if (!moved && Math.hypot(now.x - before.x, now.y - before.y) < 4) return;
    moved = true;
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const span = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      gestures.zoom(span(now) / span(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else {
      gestures.move(before.x - now.x, before.y - now.y);
    }
    down.set(event.pointerId, now);
  });
  const up = (event: PointerEvent) => {
    const known = down.delete(event.pointerId);
    if (known && !moved && event.type === 'pointerup') {
      const { x, y } = at(event);
      gestures.click(x, y);
    }
  };
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('pointerleave', () => gestures.hover(undefined));
  element.addEventListener(
    'wheel',
    (event) => {
      const { x, y } = at(event);
      const line = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 1;
      if (event.ctrlKey || event.metaKey) {
        gestures.zoom(Math.exp((-event.deltaY * line) / 240), x, y);
      } else if (!gestures.move(event.deltaX * line, event.deltaY * line)) {
        return; // nothing left to move: the page scrolls
      }
      event.preventDefault();
    },
    { passive: false },
  );
}
