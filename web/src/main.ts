import './style.css';
import { App } from './app';
import { EmbeddedSource } from './embedded_source';
import { HttpSource } from './http_source';

const data = document.getElementById('fovea-data')?.textContent;
const source = data ? new EmbeddedSource(JSON.parse(data)) : new HttpSource();
new App(document.getElementById('app')!, source);
