/** Elements in one line. */

type Child = Node | string | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

/** h('button', {class: 'quiet', onclick: stop}, 'Stop') */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), value as (event: Event) => void);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** A choice with its name before it. */
export function chooser<T extends string>(
  label: string,
  options: { value: T; text: string }[],
  value: T,
  chosen: (value: T) => void,
): HTMLLabelElement {
  const select = h(
    'select',
    { onchange: () => chosen(select.value as T) },
    ...options.map((o) => h('option', { value: o.value, selected: o.value === value }, o.text)),
  );
  return h('label', { class: 'field' }, h('span', {}, label), select);
}

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : String(error);
