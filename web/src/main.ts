import './style.css';
import { App } from './app';
import { EmbeddedSource, type PageData } from './embedded_source';
import { HttpSource } from './http_source';

const data = document.getElementById('fovea-data')?.textContent;
const root = document.getElementById('app')!;
if (data) {
  const page = JSON.parse(data) as PageData;
  new App(root, new EmbeddedSource(page), page.title);
} else {
  const askKey = () => prompt('This server asks for a key.');
  new App(root, new HttpSource('', askKey), 'Fovea');
}
